import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceToGroups, announceToMembers, groupTopic, membershipTopic, roleTopic } from '../src/access/index.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { noteQueries } from './note-queries.ts';
import { type Organization, openOrganization } from './organization-services.ts';

let acme: Organization;
let people: Record<'ada' | 'will' | 'rita' | 'nora', Caller>;
beforeAll(async () => {
  acme = await openOrganization();
  people = await acme.people({ ada: 'admin', will: 'write', rita: 'read', nora: 'no_access' });
});
afterAll(() => acme[Symbol.asyncDispose]());

const idOf = (name: keyof typeof people) => people[name].principal.userId;
const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: { status?: number }) => error.status,
  );
let labs = 0;
const create = (caller: Caller, users: { user: string; role: string }[] = []) => {
  labs += 1;
  return acme.groups.create(caller, 'acme', { name: `lab ${labs}`, users, repos: [] });
};
let made = 0;
async function secretIn(groupId: string | null) {
  made += 1;
  const named = { type: 'model', namespace: 'acme', name: `secret-${made}` } as const;
  const { id } = await acme.repositories.create(people.ada, named, { private: true, resourceGroupId: groupId });
  return { named, id };
}

describe('a group that SCIM manages', () => {
  test('has no manual changes of its users and no auto-join; the rest can be changed', async () => {
    const { id } = await create(people.ada, [{ user: 'rita', role: 'read' }]);
    await acme.database.transaction((tx) =>
      sql`update resource_groups set managed_by = 'scim' where id = ${id}`.execute(tx),
    );
    const { groups } = acme;
    expect([
      await statusOf(groups.addUsers(people.ada, 'acme', id, [{ user: 'will', role: 'read' }])),
      await statusOf(groups.setUserRole(people.ada, 'acme', id, 'rita', 'write')),
      await statusOf(groups.removeUser(people.ada, 'acme', id, 'rita')),
      await statusOf(groups.configure(people.ada, 'acme', id, { autoJoin: { enabled: true, role: 'read' } })),
      await statusOf(groups.update(people.ada, 'acme', id, { name: 'new' })),
      await statusOf(groups.configure(people.ada, 'acme', id, { autoJoin: { enabled: false } })),
    ]).toEqual([403, 403, 403, 409, 200, 200]);
    expect((await groups.get(people.ada, 'acme', id)).users).toMatchObject([{ name: 'rita', role: 'read' }]);
    await groups.delete(people.ada, 'acme', id);
  });
});

test.each([
  ['admin', 'ada'],
  ['write', 'ada will'],
  ['read', 'ada will rita'],
  ['no_access', 'ada'],
  ['whatever', 'ada'],
])('where %s may create groups, it is for %s', async (creators, who) => {
  await acme.database.transaction((tx) =>
    sql`insert into organization_settings (org_id, group_creators) values (${acme.orgId}, ${creators})
      on conflict (org_id) do update set group_creators = excluded.group_creators`.execute(tx),
  );
  const may: string[] = [];
  for (const [name, caller] of Object.entries(people))
    if ((await statusOf(create(caller, [{ user: name, role: 'admin' }]))) === 200) may.push(name);
  expect(may.join(' ')).toBe(who);
  // A creator who is not an admin of the organization must name an admin of the group, and gets no role by creating it.
  if (who.includes('will')) {
    expect(await statusOf(create(people.will))).toBe(400);
    const { id } = await create(people.will, [{ user: 'rita', role: 'admin' }]);
    expect(await statusOf(acme.groups.get(people.will, 'acme', id))).toBe(404);
  }
});

describe('an event announces lost access', () => {
  const since = async (change: () => Promise<unknown>) => {
    const before = (await acme.recorded(groupTopic)).length;
    await change();
    return (await acme.recorded(groupTopic)).slice(before);
  };

  test('to repositories that enter a group, leave it, or whose group is deleted', async () => {
    const [{ id: one }, { id: two }] = [await create(people.ada), await create(people.ada)];
    const { named, id } = await secretIn(null);
    const common = { orgId: acme.orgId, repoIds: [id], actorId: idOf('ada') };
    const put = (groupId: string | null) => since(() => acme.groups.setOfRepo(people.ada, named, groupId));
    expect(await put(one)).toEqual([{ action: 'add_repos', groupId: one, ...common }]);
    expect(await put(one)).toEqual([]);
    expect(await put(two)).toEqual([{ action: 'add_repos', groupId: two, ...common }]);
    expect(await put(null)).toEqual([{ action: 'remove_repos', groupId: two, ...common }]);
    await put(two);
    expect(await since(() => acme.groups.delete(people.ada, 'acme', two))).toEqual([
      { action: 'delete', groupId: two, ...common },
    ]);
    const repos = [{ type: 'model' as const, name: `acme/${named.name}` }];
    const [told] = await since(() => acme.groups.create(people.ada, 'acme', { name: 'x', users: [], repos }));
    expect(told).toMatchObject({ action: 'add_repos', ...common });
  });

  test('for users who are removed', async () => {
    const { id: groupId } = await create(people.ada, [{ user: 'rita', role: 'read' }]);
    expect(await since(() => acme.groups.removeUser(people.ada, 'acme', groupId, 'rita'))).toEqual([
      { action: 'remove_users', groupId, orgId: acme.orgId, userIds: [idOf('rita')], actorId: idOf('ada') },
    ]);
  });

  test('for all who have a custom role with a new base, page by page', async () => {
    await acme.customRoles.create(people.ada, 'acme', { name: 'guest', base: 'read' });
    const names = Array.from({ length: 1_200 }, (_, at) => `guest${at}`);
    const guests = await acme.people(Object.fromEntries(names.map((name) => [name, 'guest'])));
    const { id: groupId } = await create(people.ada, [
      { user: 'rita', role: 'guest' },
      { user: 'nora', role: 'guest' },
    ]);
    await acme.customRoles.update(people.ada, 'acme', 'guest', { base: 'no_access' });
    const [data] = await acme.recorded(roleTopic);
    if (!data) throw new Error('No event of the role was recorded');
    const event = { id: 'e', topic: 'role', createdAt: 0, epoch: 0, data, text: '', trace: null };
    const run = async (reaction: ReturnType<typeof announceToMembers>) => {
      let pages = 0;
      for (let after: string | undefined; pages === 0 || after !== undefined; pages++)
        after = await acme.database.transaction((tx) => reaction(tx, event, after));
      return pages;
    };
    const before = (await acme.recorded(membershipTopic)).length;
    expect(await run(announceToMembers(acme.events))).toBe(3);
    const told = (await acme.recorded(membershipTopic)).slice(before);
    expect(new Set(told.map(({ userId }) => userId))).toEqual(
      new Set(Object.values(guests).map(({ principal }) => principal.userId)),
    );
    expect(told).toHaveLength(names.length);
    expect(told[0]).toMatchObject({ orgId: acme.orgId, role: 'no_access', before: 'read', actorId: idOf('ada') });
    const [lost, ...more] = await since(() => run(announceToGroups(acme.events)));
    expect(more).toEqual([]);
    expect({ ...lost, userIds: new Set(lost?.userIds) }).toMatchObject({
      action: 'remove_users',
      groupId,
      userIds: new Set([idOf('rita'), idOf('nora')]),
    });
  });
});

describe('the number of queries', () => {
  test('is the same for hidden things as for missing ones', async () => {
    const { id } = await create(people.ada);
    const { named } = await secretIn(id);
    const { named: free } = await secretIn(null);
    const missing = { ...named, name: 'no-such' };
    using queries = noteQueries(acme.database.read);
    const asked = async (work: () => Promise<unknown>) => {
      const from = queries.texts.length;
      expect(await statusOf(work())).toBe(404);
      return queries.texts.length - from;
    };
    const { groups, repositories } = acme;
    for (const caller of [people.will, people.nora]) {
      const hidden = await asked(() => repositories.checkAccess(caller, named, 'repo.content.read'));
      expect(await asked(() => repositories.checkAccess(caller, missing, 'repo.content.read'))).toBe(hidden);
      // The two queries read the repository and the caller's role on it.
      expect(hidden).toBe(2);
      expect(await asked(() => groups.get(caller, 'acme', id))).toBe(
        await asked(() => groups.get(caller, 'acme', 'f'.repeat(24))),
      );
      expect(await asked(() => repositories.delete(caller, named))).toBe(
        await asked(() => repositories.delete(caller, missing)),
      );
      expect(await asked(() => groups.setOfRepo(caller, named, id))).toBe(
        await asked(() => groups.setOfRepo(caller, missing, id)),
      );
    }
    expect(await asked(() => repositories.checkAccess(people.nora, free, 'repo.content.read'))).toBe(2);
  });
});
