import { createAccessToken } from '@moonbase/client/access-tokens';
import { listMemberTokens } from '@moonbase/client/member-tokens';
import { createRepo } from '@moonbase/client/repositories';
import { addResourceGroupUsers, createResourceGroup } from '@moonbase/client/resource-groups';
import type { Plan } from '@moonbase/contract/primitives';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

const PLANS = ['free', 'team', 'enterprise', 'plus'] as const satisfies readonly Plan[];
const NEEDED: Readonly<Record<string, string>> = { team: 'Team', enterprise: 'Enterprise' };

/**
 * The statuses for an admin with a write token on each plan: 402 below the required plan, whatever was set up on a
 * higher one before. Each plan includes the lower ones; nothing here needs Enterprise Plus.
 */
const TABLE = `
                                                   free team enterprise plus
  E14 revoke a token by its value                  402  402  200        200
  revoke a token by its id                         402  402  200        200
  list the tokens of members                       402  402  200        200
  approve a token                                  402  402  200        200
  deny a token                                     402  402  200        200
  see the token policy                             402  402  200        200
  choose a token policy                            402  402  200        200
  E15 export the audit log                         402  200  200        200
  list the audit log                               402  200  200        200
  ask for the head of the audit log                402  200  200        200
  E17 change a role                                402  200  200        200
  E17 change a role and no groups                  402  200  200        200
  E17 change a role and the groups                 402  402  200        200
  E18 list resource groups                         402  402  200        200
  E19 create a resource group                      402  402  200        200
  look at a resource group                         402  402  200        200
  rename a resource group                          402  402  200        200
  delete a resource group                          402  402  200        200
  turn auto-join on                                402  402  200        200
  add a user to a resource group                   402  402  200        200
  change a role in a resource group                402  402  200        200
  remove a user from a resource group              402  402  200        200
  put a repository into a resource group           402  402  200        200
  take a repository out of a resource group        402  402  200        200
  ask for the group of a repository                402  402  200        200
  make a repository in a resource group            402  402  200        200
  list custom roles                                402  402  200        200
  create a custom role                             402  402  200        200
  change a custom role                             402  402  200        200
  delete a custom role                             402  402  200        200
  E16 list members                                 200  200  200        200
  find a member by e-mail address                  403  200  200        200
  explain access                                   200  200  200        200
  add a member                                     200  200  200        200
  remove a member                                  200  200  200        200
  invite                                           200  200  200        200
  change the settings                              200  200  200        200
  E20 look at the picture                          200  200  200        200
  make a repository                                200  200  200        200`;

interface Scene {
  readonly name: string;
  readonly lab: string;
  readonly tokenId: string;
  readonly token: string;
}

const REQUESTS: Readonly<Record<string, (scene: Scene) => readonly [`${Method} ${string}`, object?]>> = {
  'E14 revoke a token by its value': ({ name, token }) => [`POST ${org(name)}/settings/tokens/revoke`, { token }],
  'revoke a token by its id': ({ name, tokenId }) => [`POST ${org(name)}/settings/tokens/${tokenId}/revoke`],
  'list the tokens of members': ({ name }) => [`GET ${org(name)}/settings/tokens`],
  'approve a token': ({ name, tokenId }) => [`POST ${org(name)}/settings/tokens/${tokenId}/approve`],
  'deny a token': ({ name, tokenId }) => [`POST ${org(name)}/settings/tokens/${tokenId}/deny`],
  'see the token policy': ({ name }) => [`GET ${org(name)}/settings/tokens/policy`],
  'choose a token policy': ({ name }) => [`PATCH ${org(name)}/settings/tokens/policy`, { policy: 'approval' }],
  'E15 export the audit log': ({ name }) => [`GET ${org(name)}/audit-log/export`],
  'list the audit log': ({ name }) => [`GET ${org(name)}/audit-log`],
  'ask for the head of the audit log': ({ name }) => [`GET ${org(name)}/audit-log/head`],
  'E17 change a role': ({ name }) => [`PUT ${org(name)}/members/bob/role`, { role: 'write' }],
  'E17 change a role and no groups': ({ name }) => [
    `PUT ${org(name)}/members/bob/role`,
    { role: 'write', resourceGroups: [] },
  ],
  'E17 change a role and the groups': ({ name, lab }) => [
    `PUT ${org(name)}/members/bob/role`,
    { role: 'write', resourceGroups: [{ id: lab, role: 'read' }] },
  ],
  'E18 list resource groups': ({ name }) => [`GET ${org(name)}/resource-groups`],
  'E19 create a resource group': ({ name }) => [`POST ${org(name)}/resource-groups`, { name: 'dock' }],
  'look at a resource group': (scene) => [`GET ${group(scene)}`],
  'rename a resource group': (scene) => [`PATCH ${group(scene)}`, { name: 'laboratory' }],
  'delete a resource group': (scene) => [`DELETE ${group(scene)}`],
  'turn auto-join on': (scene) => [`POST ${group(scene)}/settings`, { autoJoin: { enabled: true, role: 'read' } }],
  'add a user to a resource group': (scene) => [
    `POST ${group(scene)}/users`,
    { users: [{ user: 'bob', role: 'read' }] },
  ],
  'change a role in a resource group': (scene) => [`PATCH ${group(scene)}/users/carol`, { role: 'write' }],
  'remove a user from a resource group': (scene) => [`DELETE ${group(scene)}/users/carol`],
  'put a repository into a resource group': ({ name, lab }) => [
    `POST /api/models/${name}/free/resource-group`,
    { resourceGroupId: lab },
  ],
  'take a repository out of a resource group': ({ name }) => [
    `POST /api/models/${name}/secret/resource-group`,
    { resourceGroupId: null },
  ],
  'ask for the group of a repository': ({ name }) => [`GET /api/models/${name}/secret/resource-group`],
  'make a repository in a resource group': ({ name, lab }) => [
    'POST /api/repos/create',
    { name: `${name}/new`, private: true, resourceGroupId: lab },
  ],
  'list custom roles': ({ name }) => [`GET ${org(name)}/roles`],
  'create a custom role': ({ name }) => [`POST ${org(name)}/roles`, { name: 'guest', base: 'read' }],
  'change a custom role': ({ name }) => [`PATCH ${org(name)}/roles/engineer`, { base: 'read' }],
  'delete a custom role': ({ name }) => [`DELETE ${org(name)}/roles/engineer`],
  'E16 list members': ({ name }) => [`GET ${org(name)}/members`],
  'find a member by e-mail address': ({ name }) => [`GET ${org(name)}/members?email=bob@acme.com`],
  'explain access': ({ name }) => [`GET ${org(name)}/access?user=bob`],
  'add a member': ({ name }) => [`PUT ${org(name)}/members/dora`, { role: 'read' }],
  'remove a member': ({ name }) => [`DELETE ${org(name)}/members/bob`],
  invite: ({ name }) => [`POST ${org(name)}/invitations`, { user: 'dora', role: 'read' }],
  'change the settings': ({ name }) => [`PATCH ${org(name)}`, { details: 'All of it' }],
  'E20 look at the picture': ({ name }) => [`GET ${org(name)}/avatar`],
  'make a repository': ({ name }) => ['POST /api/repos/create', { name: `${name}/new` }],
};
const org = (name: string) => `/api/organizations/${name}` as const;
const group = ({ name, lab }: Scene) => `${org(name)}/resource-groups/${lab}` as const;

const [heads = '', ...lines] = TABLE.trim().split('\n');
const rows = lines.flatMap((line) => {
  const [, action = '', cells = ''] = /^\s*(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
  const statuses = cells.trim().split(/\s+/).map(Number);
  return heads
    .trim()
    .split(/\s+/)
    .map((plan, at) => ({ action, plan: plan as Plan, status: statuses[at] ?? 0, statuses }));
});

let hub: TestHub;
let made = 0;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'bob', 'carol', 'dora'].map((name) => ({ ...person(name), email: `${name}@acme.com` })),
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Creates an organization that set everything up on Enterprise and now has another plan. */
async function scene(plan: Plan): Promise<Scene> {
  made += 1;
  const name = `acme${made}`;
  const ada = hub.as('ada');
  await hub.apply({
    organizations: [
      { name, plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }, { user: 'bob' }, { user: 'carol' }] },
    ],
  });
  const { id: lab } = await createResourceGroup({ ...ada, organization: name, name: 'lab' });
  await addResourceGroupUsers({
    ...ada,
    organization: name,
    resourceGroupId: lab,
    users: [{ name: 'carol', role: 'read' }],
  });
  await createRepo({ ...ada, repo: `${name}/free` });
  await createRepo({ ...ada, repo: `${name}/secret`, private: true, resourceGroupId: lab });
  await ask(ada, `POST ${org(name)}/roles`, { name: 'engineer', base: 'write' });
  const { id: tokenId, token } = await createAccessToken({ ...hub.as('bob'), displayName: name, role: 'write' });
  await hub.apply({ organizations: [{ name, plan }] });
  return { name, lab, tokenId, token };
}

/** Returns all rows, without order, which a refused request must not change. */
async function everythingOf(name: string): Promise<string[]> {
  const { read } = hub.database;
  const { id } = await read.selectFrom('accounts').select('id').where('name', '=', name).executeTakeFirstOrThrow();
  const tables = ['audit_events', 'memberships', 'custom_roles', 'resource_groups', 'organization_tokens'] as const;
  const rows = await Promise.all([
    ...tables.map((table) => read.selectFrom(table).selectAll().where('org_id', '=', id).execute()),
    read.selectFrom('resource_group_users').selectAll().execute(),
    read.selectFrom('repositories').selectAll().where('owner_id', '=', id).execute(),
  ]);
  return rows
    .flat()
    .map((row) => JSON.stringify(row))
    .sort();
}

test.each(rows)('$action on the plan $plan → $status', async ({ action, plan, status, statuses }) => {
  const setting = await scene(plan);
  const before = await everythingOf(setting.name);
  const answer = await ask(hub.as('ada'), ...REQUESTS[action]!(setting));
  expect([answer.status, answer.status === status ? '' : await answer.text()]).toEqual([status, '']);
  if (status !== 402) return;
  const least = NEEDED[PLANS[statuses.indexOf(200)]!];
  const error = `The organization ${setting.name} needs the ${least} plan for this`;
  expect(await answer.json()).toEqual({ error });
  expect(await everythingOf(setting.name)).toEqual(before);
});

test('every action has its row', () => {
  expect(Object.keys(REQUESTS).sort()).toEqual([...new Set(rows.map(({ action }) => action))].sort());
});

describe('what admins see of members', () => {
  test.each([
    ['free', false],
    ['team', true],
    ['enterprise', true],
    ['plus', true],
  ] as const)('on the plan %s has e-mail addresses: %s', async (plan, shown) => {
    const { name } = await scene(plan);
    const listed = async (user: string) =>
      (await (await ask(hub.as(user), `GET ${org(name)}/members`)).json()) as Record<string, unknown>[];
    for (const member of await listed('ada')) {
      expect('verifiedEmail' in member).toBe(shown);
      expect('twoFaEnabled' in member).toBe(shown);
      if (shown) expect(member.verifiedEmail).toBe(`${String(member.user)}@acme.com`);
    }
    for (const user of ['bob', 'dora'])
      for (const member of await listed(user))
        expect([member.verifiedEmail, member.twoFaEnabled]).toEqual([undefined, undefined]);
  });
});

test('a decision about a token outlives the plan that it was made on', async () => {
  const { name, token, tokenId } = await scene('enterprise');
  await ask(hub.as('ada'), `POST ${org(name)}/settings/tokens/${tokenId}/revoke`);
  await hub.apply({ organizations: [{ name, plan: 'free' }] });
  expect((await ask(hub.with(token), `GET ${org(name)}/overview`)).status).toBe(403);
  await hub.apply({ organizations: [{ name, plan: 'plus' }] });
  const listed = await collect(listMemberTokens({ ...hub.as('ada'), name }));
  expect(listed.find(({ id }) => id === tokenId)).toMatchObject({ status: 'revoked' });
});
