import { createRepo } from '@moonbase/client/repositories';
import { addResourceGroupUsers, createResourceGroup } from '@moonbase/client/resource-groups';
import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { person, startHub, type TestHub, tokenOf } from './harness.ts';

/*
 * Who may administer roles and groups. `lab` is a group of acme, with gus as its admin, will as a writer and rita as a
 * reader in it; `secret` is a private repository in it, `free` a private one in none, which carl made.
 *
 *   roles, role+, role~, role-   list, create, change, delete custom roles
 *   me, other                    explain the own access, that of another
 *   groups, group+               list groups, create one with an admin in it
 *   look, name, join, drop       one group: read, rename, auto-join, delete
 *   user+, user~, user-          its users: add, change, remove
 *   in, out, of                  repository: put `free` in, take `secret` out, the group of `secret`
 */
const ACTIONS = 'roles role+ role~ role- me other groups group+ look name join drop user+ user~ user- in out of'.split(
  ' ',
);

const TABLE = `
  an admin               200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
  an admin by a custom role 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
  an admin of the group  200 403 403 403 200 403 200 403 200 200 200 200 200 200 200 403 200 200
  a writer in the group  200 403 403 403 200 403 200 403 200 403 403 403 403 403 403 403 403 200
  a reader in the group  200 403 403 403 200 403 200 403 200 403 403 403 403 403 403 403 403 200
  a writer               200 403 403 403 200 403 200 403 404 404 404 404 404 404 404 404 404 404
  the contributor who made free 200 403 403 403 200 403 200 403 404 404 404 404 404 404 404 404 404 404
  a reader               200 403 403 403 200 403 200 403 404 404 404 404 404 404 404 404 404 404
  a member without access 200 403 403 403 200 403 200 403 404 404 404 404 404 404 404 404 404 404
  a stranger             403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 404 404 404
  a site administrator   403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 404 404 404
  a read token of an admin 200 403 403 403 200 200 200 403 200 403 403 403 403 403 403 403 403 200
  org.read               200 403 403 403 200 200 200 403 200 403 403 403 403 403 403 404 404 404
  org.write              200 200 200 200 200 200 200 403 200 403 403 403 403 403 403 404 404 404
  resourceGroup.write    403 403 403 403 403 403 200 200 200 200 200 200 200 200 200 404 404 404
  resourceGroup.write and reading 403 403 403 403 403 403 200 200 200 200 200 200 200 200 200 200 200 200
  all on another organization 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 404 404 404
  nobody                 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401`;

const PEOPLE: Readonly<Record<string, string>> = {
  'an admin': 'ada',
  'an admin by a custom role': 'cleo',
  'an admin of the group': 'gus',
  'a writer in the group': 'will',
  'a reader in the group': 'rita',
  'a writer': 'wanda',
  'the contributor who made free': 'carl',
  'a reader': 'rob',
  'a member without access': 'nora',
  'a stranger': 'zoe',
};

/** Scopes of fine-grained tokens of ada, on acme or on another organization. */
const SCOPES: Readonly<Record<string, { readonly on: 'acme' | 'other'; readonly words: string[] }>> = {
  'org.read': { on: 'acme', words: ['org.read'] },
  'org.write': { on: 'acme', words: ['org.write'] },
  'resourceGroup.write': { on: 'acme', words: ['resourceGroup.write'] },
  'resourceGroup.write and reading': { on: 'acme', words: ['resourceGroup.write', 'repo.content.read'] },
  'all on another organization': {
    on: 'other',
    words: ['org.read', 'org.write', 'resourceGroup.write', 'repo.content.read', 'repo.write'],
  },
};

const rows = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [, who = '', cells = ''] = /^\s*(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
    const statuses = cells.trim().split(/\s+/).map(Number);
    if (statuses.length !== ACTIONS.length) throw new Error(`A cell is missing: ${line}`);
    return ACTIONS.map((action, at) => ({ who, action, status: statuses[at] ?? 0 }));
  });

let hub: TestHub;
let lab: string;

beforeAll(async () => {
  hub = await startHub();
  const names = [...Object.values(PEOPLE), 'uma', 'vera'];
  await hub.apply({
    users: names.map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'wanda', role: 'write' },
          { user: 'carl', role: 'contributor' },
          { user: 'nora', role: 'no_access' },
          ...['gus', 'will', 'rita', 'rob', 'uma', 'vera', 'cleo'].map((user) => ({ user, role: 'read' as const })),
        ],
      },
      { name: 'other', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] },
    ],
  });
  await ask(hub.as('ada'), 'POST /api/organizations/acme/roles', { name: 'steward', base: 'admin' });
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'cleo', role: 'steward' }] }] });
  const { orgs } = (await (await ask(hub.as('ada'), 'GET /api/whoami-v2')).json()) as {
    orgs: { id: string; name: string }[];
  };
  const tokens = Object.entries(SCOPES).map(([name, { on, words }]) => {
    const entity = { _id: orgs.find((org) => org.name === on)?.id ?? '', type: 'org' };
    const scopes: FineGrained = { scoped: [{ entity, permissions: words }] };
    return { name, role: 'fineGrained' as const, token: fineToken(name), scopes };
  });
  const reading = { name: 'reading', role: 'read' as const, token: 'hf_readingOfAda00' };
  await hub.apply({ users: [{ name: 'ada', tokens: [reading, ...tokens] }] });
  await createRepo({ ...hub.as('carl'), repo: 'acme/free', private: true });
});
afterAll(() => hub[Symbol.asyncDispose]());

const fineToken = (name: string) => `hf_fine00${name.replace(/[^a-zA-Z]/g, '')}`;

function callerOf(who: string): Asked {
  if (who === 'nobody') return { hubUrl: hub.url };
  if (who === 'a site administrator') return hub.admin;
  if (who === 'a read token of an admin') return hub.with('hf_readingOfAda00');
  return hub.with(who in SCOPES ? fineToken(who) : tokenOf(PEOPLE[who] ?? who));
}

let made = 0;

/** Resets everything that an earlier action may have changed. */
async function scene(): Promise<void> {
  made += 1;
  const ada = hub.as('ada');
  await ask(ada, 'POST /api/organizations/acme/roles', { name: `role ${made}`, base: 'read' });
  const users = [
    { user: 'gus', role: 'admin' },
    { user: 'will', role: 'write' },
    { user: 'rita', role: 'read' },
  ];
  if (lab) await ask(ada, `DELETE /api/organizations/acme/resource-groups/${lab}`);
  await hub.apply({ repos: [{ name: 'acme/secret', state: 'absent' }] });
  ({ id: lab } = await createResourceGroup({ ...ada, organization: 'acme', name: 'lab', users }));
  await createRepo({ ...ada, repo: 'acme/secret', private: true, resourceGroupId: lab });
  await addResourceGroupUsers({
    ...ada,
    organization: 'acme',
    resourceGroupId: lab,
    users: [{ name: 'vera', role: 'read' }],
  });
}

let others = 0;
function requestOf(action: string): [`${Method} ${string}`, object?] {
  const org = '/api/organizations/acme';
  const group = `${org}/resource-groups/${lab}` as const;
  switch (action) {
    case 'roles':
      return [`GET ${org}/roles`];
    case 'role+':
      return [`POST ${org}/roles`, { name: `new ${made}`, base: 'write' }];
    case 'role~':
      return [`PATCH ${org}/roles/role%20${made}`, { base: 'write' }];
    case 'role-':
      return [`DELETE ${org}/roles/role%20${made}`];
    case 'me':
      return [`GET ${org}/access`];
    case 'other':
      return [`GET ${org}/access?user=uma`];
    case 'groups':
      return [`GET ${org}/resource-groups`];
    case 'group+':
      others += 1;
      return [`POST ${org}/resource-groups`, { name: `another ${others}`, users: [{ user: 'uma', role: 'admin' }] }];
    case 'look':
      return [`GET ${group}`];
    case 'name':
      return [`PATCH ${group}`, { name: 'laboratory' }];
    case 'join':
      return [`POST ${group}/settings`, { autoJoin: { enabled: true, role: 'read' } }];
    case 'drop':
      return [`DELETE ${group}`];
    case 'user+':
      return [`POST ${group}/users`, { users: [{ user: 'uma', role: 'read' }] }];
    case 'user~':
      return [`PATCH ${group}/users/vera`, { role: 'write' }];
    case 'user-':
      return [`DELETE ${group}/users/vera`];
    case 'in':
      return ['POST /api/models/acme/free/resource-group', { resourceGroupId: lab }];
    case 'out':
      return ['POST /api/models/acme/secret/resource-group', { resourceGroupId: null }];
    case 'of':
      return ['GET /api/models/acme/secret/resource-group'];
    default:
      throw new Error(`No action ${action}`);
  }
}

test.each(rows)('$who: $action → $status', async ({ who, action, status }) => {
  await scene();
  const answer = await ask(callerOf(who), ...requestOf(action));
  expect([answer.status, answer.status === status ? '' : await answer.text()]).toEqual([status, '']);
});

describe('one plan below Enterprise', () => {
  test.each(ACTIONS.filter((action) => action !== 'me' && action !== 'other'))('%s is 402', async (action) => {
    await scene();
    await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
    const request = requestOf(action);
    const answers = await Promise.all([
      ask(hub.as('ada'), ...request),
      ask(hub.as('zoe'), ...request),
      ask(hub.with(fineToken('all on another organization')), ...request),
    ]);
    await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise' }] });
    const [admin, stranger, token] = answers.map(({ status }) => status);
    expect(admin).toBe(402);
    // A caller without permission does not learn the plan.
    expect([403, 404]).toContain(stranger);
    expect([403, 404]).toContain(token);
  });

  test('existing settings stay in force', async () => {
    await scene();
    await hub.apply({ organizations: [{ name: 'acme', plan: 'free' }] });
    const seen = async (user: string) => (await ask(hub.as(user), 'GET /api/models/acme/secret')).status;
    expect([await seen('rita'), await seen('wanda'), await seen('cleo')]).toEqual([200, 404, 200]);
    await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise' }] });
  });
});
