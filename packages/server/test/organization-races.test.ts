import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { type Organization, openOrganization } from './organization-services.ts';

/**
 * Two requests run at once, 200 times. On PostgreSQL they run in two connections; on SQLite they run one after the
 * other, under the same rules.
 */
const ROUNDS = 200;

let acme: Organization;
let people: Record<'ada' | 'bea' | 'uma' | 'vera', Caller>;
beforeAll(async () => {
  acme = await openOrganization();
  people = await acme.people({ ada: 'admin', bea: 'admin', uma: 'read', vera: 'read' });
});
afterAll(() => acme[Symbol.asyncDispose]());

const statusesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? 200 : ((result.reason as { status?: number }).status ?? 500),
  );
const sorted = (statuses: readonly number[]) => [...statuses].sort((a, b) => a - b);

let groups = 0;
const group = async (users: { user: string; role: string }[] = [], caller = people.ada) =>
  (await acme.groups.create(caller, 'acme', { name: `lab ${++groups}`, users, repos: [] })).id;

test.each([
  ['demote', 'read'],
  ['remove', null],
] as const)('two admins who %s each other leave one', async (_, role) => {
  const [ada, bea] = [people.ada.principal.userId, people.bea.principal.userId];
  for (let round = 0; round < ROUNDS; round++) {
    const results = await Promise.allSettled([acme.setRole(ada, role, bea), acme.setRole(bea, role, ada)]);
    expect(sorted(statusesOf(results))).toEqual([200, 409]);
    expect(await acme.admins()).toBe(1);
    await acme.setRole(ada, 'admin');
    await acme.setRole(bea, 'admin');
  }
});

test('demoting the admins of a custom role and the last other admin at once leaves an admin', async () => {
  const [ada, bea] = [people.ada.principal.userId, people.bea.principal.userId];
  await acme.customRoles.create(people.ada, 'acme', { name: 'steward', base: 'admin' });
  for (let round = 0; round < ROUNDS; round++) {
    await acme.setRole(bea, 'steward');
    const results = await Promise.allSettled([
      acme.customRoles.update(people.ada, 'acme', 'steward', { base: 'read' }),
      acme.setRole(ada, 'read', bea),
    ]);
    const statuses = statusesOf(results);
    // ada may have lost her role before her request is checked, which then is refused.
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 403, 409].includes(status))).toBe(true);
    expect(await acme.admins()).toBe(1);
    await acme.setRole(bea, 'admin');
    await acme.setRole(ada, 'admin');
    await acme.customRoles.update(people.ada, 'acme', 'steward', { base: 'admin' });
  }
});

describe('a resource group', () => {
  test('gets a user once, however many requests add the user at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await group();
      const add = (caller: Caller) => acme.groups.addUsers(caller, 'acme', id, [{ user: 'uma', role: 'read' }]);
      const results = await Promise.allSettled([add(people.ada), add(people.bea)]);
      expect(sorted(statusesOf(results))).toEqual([200, 403]);
      const { users } = await acme.groups.get(people.ada, 'acme', id);
      expect(users.map(({ name }) => name)).toEqual(['uma']);
    }
  });

  test('that is deleted gets no new user: the user is added before or refused', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = await group();
      const results = await Promise.allSettled([
        acme.groups.delete(people.ada, 'acme', id),
        acme.groups.addUsers(people.bea, 'acme', id, [{ user: 'uma', role: 'read' }]),
      ]);
      const [deleted, added] = statusesOf(results);
      expect(deleted).toBe(200);
      expect([200, 404]).toContain(added);
    }
    const left = await acme.database.read.selectFrom('resource_group_users').select('group_id').execute();
    const groups = await acme.database.read.selectFrom('resource_groups').select('id').execute();
    expect(left.every(({ group_id: id }) => groups.some((each) => each.id === id))).toBe(true);
  });

  test('whose two admins demote each other keeps one of them', async () => {
    const admins = [
      { user: 'uma', role: 'admin' },
      { user: 'vera', role: 'admin' },
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const id = await group(admins);
      const results = await Promise.allSettled([
        acme.groups.setUserRole(people.uma, 'acme', id, 'vera', 'read'),
        round % 2 === 0
          ? acme.groups.setUserRole(people.vera, 'acme', id, 'uma', 'read')
          : acme.groups.removeUser(people.vera, 'acme', id, 'uma'),
      ]);
      expect(statusesOf(results).filter((status) => status === 200)).toHaveLength(1);
      const { users } = await acme.groups.get(people.ada, 'acme', id);
      expect(users.filter(({ role }) => role === 'admin')).toHaveLength(1);
    }
  });

  test('never keeps somebody who leaves the organization while being added', async () => {
    const uma = people.uma.principal.userId;
    const id = await group();
    for (let round = 0; round < ROUNDS; round++) {
      const results = await Promise.allSettled([
        acme.setRole(uma, null),
        acme.groups.addUsers(people.ada, 'acme', id, [{ user: 'uma', role: 'read' }]),
      ]);
      expect([200, 403]).toContain(statusesOf(results)[1]);
      expect((await acme.groups.get(people.ada, 'acme', id)).users).toEqual([]);
      await acme.setRole(uma, 'read');
    }
  });

  test('that is deleted keeps no repository: it is moved there before or refused', async () => {
    const named = { type: 'model', namespace: 'acme', name: 'dolly' } as const;
    await acme.repositories.create(people.ada, named, { private: true });
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const id = await group();
      const pair = [
        () => acme.groups.delete(people.ada, 'acme', id),
        () => acme.groups.setOfRepo(people.bea, named, id),
      ] as const;
      const results = await Promise.allSettled(
        round % 2 === 0
          ? pair.map((work) => work())
          : pair
              .toReversed()
              .map((work) => work())
              .toReversed(),
      );
      const [deleted, moved] = statusesOf(results);
      expect([deleted, [200, 404].includes(moved ?? 0)]).toEqual([200, true]);
      outcomes.add(`${moved}`);
      const repos = acme.database.read.selectFrom('repositories').select('resource_group_id');
      expect(await repos.where('name', '=', 'dolly').execute()).toEqual([{ resource_group_id: null }]);
    }
    expect([...outcomes].sort()).toEqual(['200', '404']);
  });

  test('and another one cannot both get the same repository at once', async () => {
    const named = { type: 'model', namespace: 'acme', name: 'bert' } as const;
    await acme.repositories.create(people.ada, named, { private: true });
    const [one, two] = [await group(), await group()];
    for (let round = 0; round < ROUNDS; round++) {
      const results = await Promise.allSettled([
        acme.groups.setOfRepo(people.ada, named, one),
        round % 2 === 0
          ? acme.groups.setOfRepo(people.bea, named, two)
          : acme.groups.delete(people.bea, 'acme', await group()),
      ]);
      expect(statusesOf(results)).toEqual([200, 200]);
      const holding = await Promise.all(
        [one, two].map(async (id) => (await acme.groups.get(people.ada, 'acme', id)).repos.length),
      );
      expect(holding[0]! + holding[1]!).toBe(1);
    }
  });
});

test('a custom role that is deleted while being assigned is assigned or deleted, never both', async () => {
  const uma = people.uma.principal.userId;
  for (let round = 0; round < ROUNDS; round++) {
    await acme.customRoles.create(people.ada, 'acme', { name: 'auditor', base: 'read' });
    const results = await Promise.allSettled([
      acme.customRoles.delete(people.ada, 'acme', 'auditor'),
      acme.setRole(uma, 'auditor', people.bea.principal.userId),
    ]);
    expect([
      [200, 400],
      [409, 200],
    ]).toContainEqual(statusesOf(results));
    await acme.setRole(uma, 'read');
    if (statusesOf(results)[0] === 409) await acme.customRoles.delete(people.ada, 'acme', 'auditor');
  }
});
