import { createAccessToken, deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { exportAuditLog } from '@moonbase/client/audit-log';
import { acceptInvitation, createInvitation, listOwnInvitations } from '@moonbase/client/invitations';
import { listMemberTokens, revokeMemberTokenById } from '@moonbase/client/member-tokens';
import { addMember, changeMemberRole, listMembers, removeMember } from '@moonbase/client/members';
import { deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';
import { engine } from './test-database.ts';

/**
 * Two requests run at once, 200 times each, on PostgreSQL in two connections. Whichever is first, the answers agree
 * with the state afterwards.
 */
/** On SQLite, one event loop orders all statements, and few orders are possible. */
const ROUNDS = engine === 'sqlite' ? 50 : 200;

const acme = { name: 'acme' };
let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'eve', 'bob', 'guest'].map((name) => ({ ...person(name), email: `${name}@acme.com` })),
  });
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  await hub.apply({
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'eve', role: 'admin' },
          { user: 'bob', role: 'write' },
          { user: 'admin', state: 'absent' },
        ],
      },
    ],
  });
});

/** Sends both requests at once, alternating the first; returns their statuses in the order given. */
async function atOnce(round: number, one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number[]> {
  const [first, second] = round % 2 === 0 ? [one, other] : [other, one];
  const results = await Promise.allSettled([first(), second()]);
  const statuses = results.map((result) =>
    result.status === 'fulfilled' ? 200 : ((result.reason as { status?: number }).status ?? 500),
  );
  return round % 2 === 0 ? statuses : statuses.toReversed();
}
const sorted = (statuses: readonly number[]) => [...statuses].sort((a, b) => a - b);
const roles = async () =>
  Object.fromEntries((await collect(listMembers({ ...hub.as('bob'), ...acme }))).map(({ user, role }) => [user, role]));
const isThere = async (path: string, user = 'ada') => (await ask(hub.as(user), `GET /api/${path}`)).status;

test.each([
  ['demote', (by: string, username: string) => changeMemberRole({ ...hub.as(by), ...acme, username, role: 'write' })],
  ['remove', (by: string, username: string) => removeMember({ ...hub.as(by), ...acme, username })],
] as const)('two admins who %s each other: one of them does', async (_, act) => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, eve] = await atOnce(
      round,
      () => act('ada', 'eve'),
      () => act('eve', 'ada'),
    );
    expect(sorted([ada!, eve!])).toEqual([200, 403]);
    const left = ada === 200 ? 'ada' : 'eve';
    const admins = Object.entries(await roles()).flatMap(([user, role]) => (role === 'admin' ? [user] : []));
    expect(admins).toEqual([left]);
    await hub.apply({
      organizations: [{ name: 'acme', members: ['ada', 'eve'].map((user) => ({ user, role: 'admin' })) }],
    });
  }
});

test('a token revoked while in use loses access at once', async () => {
  const used = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const { id: tokenId, token } = await createAccessToken({
      ...hub.as('bob'),
      displayName: `t${round}`,
      role: 'write',
    });
    let use = 0;
    const [revoked] = await atOnce(
      round,
      () => revokeMemberTokenById({ ...hub.as('ada'), ...acme, tokenId }),
      async () => {
        use = (await ask(hub.with(token), 'GET /api/organizations/acme/overview')).status;
      },
    );
    expect([revoked, [200, 403].includes(use)]).toEqual([200, true]);
    used.add(use);
    expect((await ask(hub.with(token), 'GET /api/organizations/acme/overview')).status).toBe(403);
    expect((await ask(hub.with(token), 'GET /api/whoami-v2')).status).toBe(200);
  }
  expect(used.has(200)).toBe(true);
});

test('a token revoked while its owner deletes it is deleted', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: tokenId, token } = await createAccessToken({
      ...hub.as('bob'),
      displayName: `d${round}`,
      role: 'write',
    });
    const [revoked, deleted] = await atOnce(
      round,
      () => revokeMemberTokenById({ ...hub.as('ada'), ...acme, tokenId }),
      () => deleteAccessToken({ ...hub.as('bob'), tokenId }),
    );
    expect([[200, 404].includes(revoked!), deleted]).toEqual([true, 200]);
    expect((await ask(hub.with(token), 'GET /api/organizations/acme/overview')).status).toBe(401);
    const [latest] = await exportAuditLog({ ...hub.as('ada'), ...acme, q: 'type:org.token_approval.*' });
    expect((latest?.data as { token: { id: string } } | undefined)?.token.id === tokenId).toBe(revoked === 200);
  }
  const listed = await collect(listMemberTokens({ ...hub.as('ada'), ...acme }));
  expect(listed.filter(({ user }) => user === 'bob').map(({ last4 }) => last4)).not.toContain('d199');
  expect((await ask(hub.as('bob'), 'GET /api/settings/tokens?limit=100')).status).toBe(200);
});

test('a token that makes another one while it is deleted leaves none', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: tokenId, token } = await createAccessToken({
      ...hub.as('bob'),
      displayName: `m${round}`,
      role: 'write',
    });
    const [deleted, made] = await atOnce(
      round,
      () => deleteAccessToken({ ...hub.as('bob'), tokenId }),
      () => createAccessToken({ ...hub.with(token), displayName: `left${round}`, role: 'write' }),
    );
    expect([deleted, [200, 401].includes(made!)]).toEqual([200, true]);
  }
  const names = (await collect(listAccessTokens(hub.as('bob')))).map(({ displayName }) => displayName);
  expect(names.filter((name) => name.startsWith('left'))).toEqual([]);
});

test('when an organization is deleted while a member is added, the member is added before or gets 404', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [deleted, added] = await atOnce(
      round,
      () => deleteOrganization({ ...hub.as('ada'), ...acme }),
      () => addMember({ ...hub.as('eve'), ...acme, username: 'guest', role: 'read' }),
    );
    expect([deleted, [200, 404].includes(added!)]).toEqual([200, true]);
    expect(await isThere('organizations/acme/overview')).toBe(404);
    await restoreOrganization({ ...hub.as('ada'), ...acme });
    expect('guest' in (await roles())).toBe(added === 200);
    if (added === 200) await removeMember({ ...hub.as('ada'), ...acme, username: 'guest' });
  }
});

test('when an organization is deleted while a repository is created in it, the repository is created before or refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [deleted, made] = await atOnce(
      round,
      () => deleteOrganization({ ...hub.as('ada'), ...acme }),
      () => createRepo({ ...hub.as('bob'), repo: 'acme/bert' }),
    );
    expect([deleted, [200, 403, 404].includes(made!), made]).toEqual([200, true, made]);
    expect(await isThere('models/acme/bert')).toBe(404);
    await restoreOrganization({ ...hub.as('ada'), ...acme });
    expect(await isThere('models/acme/bert')).toBe(made === 200 ? 200 : 404);
    if (made === 200) await deleteRepo({ ...hub.as('ada'), repo: 'acme/bert' });
  }
});

test('an organization removed by a document during other changes is deleted with all of them', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const name = `brief${round}`;
    await hub.apply({ organizations: [{ name, plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }] });
    const ada = hub.as('ada');
    const act = [
      () => createRepo({ ...ada, repo: `${name}/bert` }),
      () => addMember({ ...ada, name, username: 'guest', role: 'read' }),
      () => createInvitation({ ...ada, name, user: 'guest', role: 'read' }),
      () =>
        ask(ada, `PATCH /api/organizations/${name}`, { details: 'x' }).then(({ status }) =>
          expect(status).toBeLessThan(500),
        ),
    ][round % 4]!;
    const remove = () => hub.apply({ organizations: [{ name, state: 'absent' }] });
    const [removed, other] = await atOnce(round >> 2, remove, act);
    expect([removed, other! < 500]).toEqual([removed, true]);
    // A repository that appears in between makes the document fail without any change, so it is sent again.
    if (removed === 409) expect([round % 4, other]).toEqual([0, 200]);
    else expect(removed).toBe(200);
    if (removed === 409) await remove();
    expect(await isThere(`organizations/${name}/overview`)).toBe(404);
    expect(await isThere(`models/${name}/bert`)).toBe(404);
  }
  const { read } = hub.database;
  const left = read
    .selectFrom('invitations')
    .select('id')
    .where('org_id', 'not in', (of) => of.selectFrom('accounts').select('id'));
  expect(await left.execute()).toEqual([]);
});

test('two invitations accepted at once create one member, and both are used up', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const ada = { ...hub.as('ada'), ...acme };
    const { id: byName } = await createInvitation({ ...ada, user: 'guest', role: 'write' });
    const { id: byEmail } = await createInvitation({ ...ada, email: 'guest@acme.com', role: 'read' });
    const accept = (invitationId: string) => () => acceptInvitation({ ...hub.as('guest'), invitationId });
    const statuses = await atOnce(round, accept(byName), accept(round % 4 === 3 ? byName : byEmail));
    // Who joins by one has no use for the other, which is deleted.
    expect(sorted(statuses)).toEqual([200, 404]);
    expect(['write', 'read']).toContain((await roles()).guest);
    expect(await collect(listOwnInvitations(hub.as('guest')))).toEqual([]);
    const log = await exportAuditLog({ ...ada, q: 'type:org.invite.accept' });
    expect(log).toHaveLength(round + 1);
    await removeMember({ ...ada, username: 'guest' });
  }
});
