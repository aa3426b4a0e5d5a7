import { approveMemberToken, listMemberTokens, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { changeMemberRole, listMembers, removeMember } from '@moonbase/client/members';
import { deleteOrganization, restoreOrganization, updateOrganization } from '@moonbase/client/organizations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listMembers as listRows } from '../src/members/store.ts';
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

test('two admins who take the role of each other leave one', async () => {
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
    const members = await hub.database.executor.selectFrom('memberships').select('base_role').execute();
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
    await hub.database.executor.deleteFrom('organization_tokens').execute();
  }
});

test('deleted, renamed and restored at once, an organization is there or not, never half', async () => {
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

/** What happens between two pages. */
type Step = { readonly add: number } | { readonly remove: number };
const steps = fc.array(
  fc.oneof(fc.record({ add: fc.integer({ min: 1, max: 4 }) }), fc.record({ remove: fc.nat(1000) })),
  { maxLength: 4 },
);

test('whoever is a member all along is in the pages once, whoever comes and goes meanwhile', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  let worlds = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 25 }),
      fc.array(steps, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 7 }),
      async (joinedAt, between, size) => {
        worlds += 1;
        await checkPages(database, worlds, joinedAt, between, size);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

async function checkPages(database: Database, world: number, joinedAt: number[], between: Step[][], size: number) {
  const { executor } = database;
  let made = 0;
  const idOf = (kind: string) => `${world}`.padStart(8, '0') + kind + `${made++}`.padStart(15, '0');
  const account = async (id: string, kind: 'org' | 'user') => {
    const row = {
      id,
      kind,
      name: id,
      name_key: id,
      fullname: id,
      avatar_url: null,
      created_at: 0,
      email: null,
      pro: 0,
      site_admin: 0,
      plan: 'free' as const,
      details: null,
    };
    await executor.insertInto('accounts').values(row).execute();
  };
  const org = idOf('a');
  await account(org, 'org');
  const present = new Set<string>();
  const join = async (at: number) => {
    const id = idOf('b');
    await account(id, 'user');
    await executor
      .insertInto('memberships')
      .values({ org_id: org, user_id: id, role: 'read', base_role: 'read', created_at: at, search_key: id })
      .execute();
    present.add(id);
    return id;
  };
  for (const at of joinedAt) await join(at);
  const always = new Set(present);
  const seen: string[] = [];
  let after: { joinedAt: number; userId: string } | undefined;
  for (let page = 0; ; page++) {
    const rows = await listRows(executor, org, { after }, size);
    seen.push(...rows.map(({ id }) => id));
    const last = rows.at(-1);
    if (!last || rows.length < size) break;
    after = { joinedAt: last.joinedAt, userId: last.id };
    for (const step of between[page] ?? []) {
      if ('add' in step) for (let at = 0; at < step.add; at++) await join(10 + page);
      else {
        const id = [...present][step.remove % Math.max(present.size, 1)];
        if (id === undefined) continue;
        await executor.deleteFrom('memberships').where('org_id', '=', org).where('user_id', '=', id).execute();
        present.delete(id);
        always.delete(id);
      }
    }
  }
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of always) expect(seen).toContain(id);
}
