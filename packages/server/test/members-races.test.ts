import { approveMemberToken, listMemberTokens, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { changeMemberRole, listMembers, removeMember } from '@moonbase/client/members';
import { deleteOrganization, restoreOrganization, updateOrganization } from '@moonbase/client/organizations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchKey } from '../src/access/index.ts';
import { deleteMembership, setMemberships, setSearchKey } from '../src/access/memberships/store.ts';
import { memberPage } from '../src/members/store.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { ask } from './ask.ts';
import { collect, person, startHub } from './harness.ts';
import { openTestDatabase } from './open-test-database.ts';

const acme = { name: 'acme' };
const ROUNDS = 200;

async function startWith(members: Record<string, 'admin' | 'write'>) {
  const hub = await startHub();
  const users = Object.keys(members);
  const apply = () =>
    hub.apply({
      organizations: [
        { name: 'acme', plan: 'enterprise', members: users.map((user) => ({ user, role: members[user]! })) },
      ],
    });
  await hub.apply({ users: users.map(person) });
  await apply();
  return { hub, apply };
}
const admins = async (hub: Awaited<ReturnType<typeof startHub>>) =>
  (await collect(listMembers({ ...hub.as('ada'), ...acme }))).filter(({ role }) => role === 'admin').length;

test('two admins who demote each other leave one admin', async () => {
  const { hub } = await startWith({ ada: 'admin', eve: 'admin', bob: 'write' });
  await using _ = hub;
  for (let round = 0; round < ROUNDS; round++) {
    const demote = (by: string, username: string) =>
      changeMemberRole({ ...hub.as(by), ...acme, username, role: 'write' });
    const leave = (username: string) => removeMember({ ...hub.as(username), ...acme, username });
    const results = await Promise.allSettled(
      round % 2 === 0 ? [demote('ada', 'eve'), demote('eve', 'ada')] : [demote('ada', 'ada'), leave('eve')],
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [refused] = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as { status: number }] : [],
    );
    expect([403, 409]).toContain(refused?.status);
    const members = await hub.database.read.selectFrom('memberships').select('base_role').execute();
    expect(members.filter(({ base_role }) => base_role === 'admin')).toHaveLength(1);
    await hub.database.transaction(async (tx) => {
      const { id } = await tx.selectFrom('accounts').select('id').where('name', '=', 'acme').executeTakeFirstOrThrow();
      for (const name of ['ada', 'eve']) {
        const user = await tx.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirstOrThrow();
        const row = { org_id: id, user_id: user.id, role: 'admin', base_role: 'admin' as const, created_at: 0 };
        await tx
          .insertInto('memberships')
          .values(row)
          .onConflict((on) => on.columns(['org_id', 'user_id']).doUpdateSet({ role: 'admin', base_role: 'admin' }))
          .execute();
      }
    });
  }
  expect(await admins(hub)).toBe(2);
});

test('a token approved and revoked at once is revoked', async () => {
  const { hub } = await startWith({ ada: 'admin', eve: 'admin', bob: 'write' });
  await using _ = hub;
  for (let round = 0; round < 20; round++) {
    const [token] = (await collect(listMemberTokens({ ...hub.as('ada'), ...acme }))).filter(
      ({ user }) => user === 'bob',
    );
    const tokenId = token?.id ?? '';
    const results = await Promise.allSettled([
      approveMemberToken({ ...hub.as('ada'), ...acme, tokenId }),
      revokeMemberTokenById({ ...hub.as('eve'), ...acme, tokenId }),
      approveMemberToken({ ...hub.as('eve'), ...acme, tokenId }),
    ]);
    expect(results[1]?.status).toBe('fulfilled');
    expect((await ask(hub.as('bob'), 'GET /api/organizations/acme/overview')).status).toBe(403);
    await hub.database.transaction((tx) => tx.deleteFrom('organization_tokens').execute());
  }
});

test('an organization that is deleted, renamed and restored at once exists or not, never in between', async () => {
  const { hub } = await startWith({ ada: 'admin', eve: 'admin' });
  await using _ = hub;
  for (let round = 0; round < 20; round++) {
    const results = await Promise.allSettled([
      deleteOrganization({ ...hub.as('ada'), ...acme }),
      updateOrganization({ ...hub.as('eve'), ...acme, change: { details: `${round}` } }),
      deleteOrganization({ ...hub.as('eve'), ...acme }),
      restoreOrganization({ ...hub.as('eve'), ...acme }),
    ]);
    const statuses = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { status: number }).status] : [],
    );
    expect(statuses.every((status) => status === 404)).toBe(true);
    await restoreOrganization({ ...hub.as('ada'), ...acme }).catch(() => undefined);
    expect(await admins(hub)).toBe(2);
  }
});

/** A change between two pages; numbers choose among the present members. */
type Step =
  | { readonly kind: 'join'; readonly who: number }
  | { readonly kind: 'leave' | 'rename' | 'change role' | 'come back'; readonly who: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind: fc.constantFrom('join', 'leave', 'rename', 'change role', 'come back'), who: fc.nat(1000) }),
  { maxLength: 6 },
);

test.each([undefined, 'blue'])(
  'a member who stays is in the pages once, whoever joins, leaves and changes in the meantime; search: %s',
  async (search) => {
    await using opened = await openTestDatabase();
    let worlds = 0;
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(5), { minLength: 1, maxLength: 30 }),
        fc.array(steps, { minLength: 1, maxLength: 15 }),
        fc.integer({ min: 1, max: 7 }),
        async (joinedAt, between, size) => {
          worlds += 1;
          changed += await checkPages(opened.database, { world: worlds, joinedAt, between, size, search });
        },
      ),
      { numRuns: 150, seed: 20260105 },
    );
    expect(changed).toBeGreaterThan(300);
  },
  60_000,
);

interface Reading {
  readonly world: number;
  readonly joinedAt: readonly number[];
  readonly between: readonly Step[][];
  readonly size: number;
  readonly search: string | undefined;
}

/** Reads all pages and makes the changes between them; returns the number of changes made. */
async function checkPages(database: Database, { world, joinedAt, between, size, search }: Reading): Promise<number> {
  const { read } = database;
  let made = 0;
  const idOf = (kind: string) => `${world}${search ? 1 : 0}`.padStart(8, '0') + kind + `${made++}`.padStart(15, '0');
  const account = async (id: string, kind: 'org' | 'user', fullname: string) => {
    const row = { id, kind, name: id, name_key: id, fullname, created_at: 0, plan: 'free' as const };
    const rest = { avatar_url: null, email: null, pro: 0, site_admin: 0, details: null };
    await database.transaction((tx) =>
      tx
        .insertInto('accounts')
        .values({ ...row, ...rest })
        .execute(),
    );
  };
  const org = idOf('a');
  await account(org, 'org', 'Acme');
  const colour = (who: number) => (who % 3 === 0 ? 'Red' : 'Blue');
  const join = async (id: string, at: number, fullname: string) => {
    const row = { org_id: org, user_id: id, role: 'read', base_role: 'read' as const, created_at: at };
    const search_key = searchKey({ name: id, fullname });
    await database.transaction((tx) => setMemberships(tx, [{ ...row, search_key, in_scim: 0 }]));
    present.set(id, fullname);
  };
  /** The present members by full name, and those who matched the search from the first page to the last. */
  const present = new Map<string, string>();
  const stable = new Set<string>();
  const left = new Set<string>();
  const isFound = (fullname: string) => search === undefined || fullname.toLowerCase().includes(search);
  for (const [at, time] of joinedAt.entries()) {
    const id = idOf('b');
    await account(id, 'user', colour(at));
    await join(id, time, colour(at));
    if (isFound(colour(at))) stable.add(id);
  }

  async function take({ kind, who }: Step, now: number): Promise<void> {
    if (kind === 'join') {
      const id = idOf('b');
      await account(id, 'user', colour(who));
      return join(id, now, colour(who));
    }
    const among = [...(kind === 'come back' ? left : present.keys())];
    const id = among[who % Math.max(among.length, 1)];
    if (id === undefined) return;
    switch (kind) {
      case 'leave':
        await database.transaction((tx) => deleteMembership(tx, org, id));
        present.delete(id);
        stable.delete(id);
        left.add(id);
        return;
      case 'come back':
        left.delete(id);
        return join(id, now, colour(who));
      case 'rename':
        await database.transaction((tx) =>
          tx
            .updateTable('accounts')
            .set({ fullname: colour(who) })
            .where('id', '=', id)
            .execute(),
        );
        await database.transaction((tx) => setSearchKey(tx, id, searchKey({ name: id, fullname: colour(who) })));
        present.set(id, colour(who));
        if (!isFound(colour(who))) stable.delete(id);
        return;
      case 'change role':
        await database.transaction((tx) =>
          setMemberships(tx, [
            {
              ...{ org_id: org, user_id: id, role: 'admin', base_role: 'admin', created_at: now, in_scim: 0 },
              search_key: searchKey({ name: id, fullname: present.get(id) ?? '' }),
            },
          ]),
        );
        return;
    }
  }

  const seen: string[] = [];
  let taken = 0;
  let after: { joinedAt: number; userId: string } | undefined;
  for (let page = 0; ; page++) {
    const rows = await memberPage(read, org, { after, search }, size);
    seen.push(...rows.map(({ userId }) => userId));
    const last = rows.at(-1);
    // A member may rejoin repeatedly ahead of the reader.
    if (!last || rows.length < size || page > 200) break;
    after = last;
    for (const step of between[page] ?? []) {
      await take(step, 10 + page);
      taken += 1;
    }
  }
  for (const id of stable) expect(seen.filter((one) => one === id)).toEqual([id]);
  const gone = seen.filter((id) => !stable.has(id) && !left.has(id) && !present.has(id));
  expect(gone).toEqual([]);
  return taken;
}
