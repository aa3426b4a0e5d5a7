import { createAccessToken } from '@moonbase/client/access-tokens';
import { createInvitation } from '@moonbase/client/invitations';
import { listMemberTokens } from '@moonbase/client/member-tokens';
import { deleteOrganization, updateOrganization } from '@moonbase/client/organizations';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { person, startHub, type TestHub, tokenOf } from './harness.ts';

const ACTIONS = [
  'list',
  'list-private',
  'email',
  'read-settings',
  'rename',
  'delete',
  'restore',
  'add',
  'remove',
  'leave',
  'role',
  'invite',
  'invitations',
  'withdraw',
  'tokens',
  'revoke',
  'revoke-id',
  'approve',
  'deny',
  'policy',
] as const;
type Action = (typeof ACTIONS)[number];

/** The callers with their tokens, and the status of each action, in the order of ACTIONS. */
const TABLE = `
  nobody                        401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401
  an unknown token              401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401 401
  a stranger                    200 403 403 403 403 403 404 403 403 404 403 403 403 403 403 403 403 403 403 403
  a site administrator          200 403 403 403 403 403 404 403 403 404 403 403 403 403 403 403 403 403 403 403
  a member without access       200 403 403 403 403 403 404 403 403 200 403 403 403 403 403 403 403 403 403 403
  a reader                      200 200 403 403 403 403 404 403 403 200 403 403 403 403 403 403 403 403 403 403
  a contributor                 200 200 403 403 403 403 404 403 403 200 403 403 403 403 403 403 403 403 403 403
  a writer                      200 200 403 403 403 403 404 403 403 200 403 403 403 403 403 403 403 403 403 403
  an admin                      200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
  a reader, read                200 200 403 403 403 403 404 403 403 403 403 403 403 403 403 403 403 403 403 403
  an admin, read                200 200 200 403 403 403 403 403 403 403 403 403 200 403 200 403 403 403 403 403
  an admin, org.read            200 200 200 403 403 403 403 403 403 403 403 403 200 403 200 403 403 403 403 403
  an admin, org.write           200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200 200
  an admin, org.write elsewhere 200 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403
  an admin, repo.write          200 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403 403
  a writer, org.write           200 200 403 403 403 403 404 403 403 200 403 403 403 403 403 403 403 403 403 403`;

const PEOPLE: Readonly<Record<string, string>> = {
  'an admin': 'ada',
  'a writer': 'will',
  'a contributor': 'cora',
  'a reader': 'rita',
  'a member without access': 'nora',
  'a stranger': 'zoe',
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
let made = 0;

beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'eve', 'will', 'cora', 'rita', 'nora', 'zoe', 'bob', 'guest'].map((name) => ({
      ...person(name),
      tokens: [...person(name).tokens, { name: 'reading', role: 'read', token: `hf_reading00${name}` }],
    })),
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Creates an organization for a row, with an admin beside the caller. */
async function scene(action: Action): Promise<{ name: string; id: string; bobsToken: string; invitation: string }> {
  made += 1;
  const name = `acme${made}`;
  const members = Object.entries({
    ada: 'admin',
    eve: 'admin',
    will: 'write',
    cora: 'contributor',
    rita: 'read',
    nora: 'no_access',
    bob: 'read',
  });
  await hub.apply({
    organizations: [
      { name, plan: 'enterprise', members: members.map(([user, role]) => ({ user, role: role as 'read' })) },
    ],
  });
  const admin = { ...hub.as('ada'), name };
  const { id } = await updateOrganization({ ...admin, change: { membersPrivate: action === 'list-private' } });
  let bobsToken = '';
  for await (const token of listMemberTokens(admin)) if (token.user === 'bob') bobsToken = token.id;
  const { id: invitation } = await createInvitation({ ...admin, email: 'somebody@acme.com', role: 'read' });
  if (action === 'restore') await deleteOrganization(admin);
  return { name, id, bobsToken, invitation };
}

/**
 * Returns the caller of a row: a role, and after a comma the scope of the token, on the organization if the token is
 * fine-grained.
 */
async function callerOf(who: string, orgId: string): Promise<{ caller: Asked; user: string }> {
  const [role = '', token] = who.split(', ');
  const user = PEOPLE[role] ?? 'admin';
  if (who === 'nobody') return { caller: { hubUrl: hub.url }, user };
  if (who === 'an unknown token') return { caller: hub.with('hf_unknownUnknown'), user };
  if (who === 'a site administrator') return { caller: hub.admin, user };
  if (token === undefined) return { caller: hub.as(user), user };
  if (token === 'read') return { caller: hub.with(`hf_reading00${user}`), user };
  const [permission = '', elsewhere] = token.split(' ');
  const entity = { _id: elsewhere ? 'f'.repeat(24) : orgId, type: 'org' as const };
  const fineGrained = { scoped: [{ entity, permissions: [permission as 'org.read'] }] };
  const { token: value } = await createAccessToken({
    ...hub.as(user),
    displayName: `t${made}`,
    role: 'fineGrained',
    fineGrained,
  });
  return { caller: hub.with(value), user };
}

type Scene = Awaited<ReturnType<typeof scene>>;

function requestOf(
  action: Action,
  { name, bobsToken, invitation }: Scene,
  user: string,
): [`${Method} ${string}`, object?] {
  const org = `/api/organizations/${name}` as const;
  const tokens = `${org}/settings/tokens` as const;
  const requests: Record<Action, [`${Method} ${string}`, object?]> = {
    list: [`GET ${org}/members`],
    'list-private': [`GET ${org}/members?search=a`],
    email: [`GET ${org}/members?email=bob@acme.com`],
    'read-settings': [`PATCH ${org}`, {}],
    rename: [`PATCH ${org}`, { name: `${name}-new` }],
    delete: [`DELETE ${org}`],
    restore: [`POST ${org}/restore`],
    add: [`PUT ${org}/members/guest`, { role: 'read' }],
    remove: [`DELETE ${org}/members/bob`],
    leave: [`DELETE ${org}/members/${user}`],
    role: [`PUT ${org}/members/bob/role`, { role: 'write' }],
    invite: [`POST ${org}/invitations`, { user: 'guest', role: 'read' }],
    invitations: [`GET ${org}/invitations`],
    withdraw: [`DELETE ${org}/invitations/${invitation}`],
    tokens: [`GET ${tokens}`],
    revoke: [`POST ${tokens}/revoke`, { token: tokenOf('bob') }],
    'revoke-id': [`POST ${tokens}/${bobsToken}/revoke`],
    approve: [`POST ${tokens}/${bobsToken}/approve`],
    deny: [`POST ${tokens}/${bobsToken}/deny`],
    policy: [`PATCH ${tokens}/policy`, { policy: 'approval' }],
  };
  return requests[action];
}

test.each(rows)('$who: $action → $status', async ({ who, action, status }) => {
  const setting = await scene(action);
  const { caller, user } = await callerOf(who, setting.id);
  expect((await ask(caller, ...requestOf(action, setting, user))).status).toBe(status);
});

describe('what the caller may not see looks like something that does not exist', () => {
  const learned = async (caller: Asked, request: `${Method} ${string}`, body?: object) => {
    const answer = await ask(caller, request, body);
    const { 'x-request-id': _, date: __, ...headers } = Object.fromEntries(answer.headers);
    return { status: answer.status, text: await answer.text(), headers };
  };

  test.each(['zoe', 'rita', 'will'])('a deleted organization, to %s', async (user) => {
    const { name } = await scene('restore');
    const missing = `none${made}`.padEnd(name.length, 'x').slice(0, name.length);
    const like = ({ text, ...rest }: Awaited<ReturnType<typeof learned>>) =>
      JSON.stringify({ ...rest, text })
        .replaceAll(name, '*')
        .replaceAll(missing, '*');
    for (const [method, path] of [
      ['GET', '/members'],
      ['GET', '/overview'],
      ['POST', '/restore'],
      ['DELETE', ''],
      ['POST', '/join'],
    ] as const) {
      const of = (org: string) => learned(hub.as(user), `${method} /api/organizations/${org}${path}`);
      expect(like(await of(name))).toBe(like(await of(missing)));
    }
    const repo = (org: string) => learned(hub.as(user), `GET /api/models/${org}/x`);
    expect(await repo(name)).toEqual(await repo(missing));
  });

  test('an invitation to somebody else', async () => {
    const { invitation } = await scene('list');
    const accept = (id: string) => learned(hub.as('zoe'), `POST /api/settings/invitations/${id}/accept`);
    expect(await accept(invitation)).toEqual(await accept('f'.repeat(24)));
  });

  test('a token of somebody else, whoever asks', async () => {
    const { name } = await scene('list');
    const revoke = (token: string) =>
      learned(hub.as('ada'), `POST /api/organizations/${name}/settings/tokens/revoke`, { token });
    expect(await revoke(tokenOf('zoe'))).toEqual(await revoke('hf_ofNobodyAtAll'));
  });

  test('a member, by e-mail address, to those who may not search by it', async () => {
    const { name } = await scene('list');
    const findByEmail = (email: string) =>
      learned(hub.as('will'), `GET /api/organizations/${name}/members?email=${email}`);
    expect(await findByEmail('bob@acme.com')).toEqual(await findByEmail('nobody@acme.com'));
  });
});
