import { createAccessToken } from '@moonbase/client/access-tokens';
import { createInvitation } from '@moonbase/client/invitations';
import { createRepo } from '@moonbase/client/repositories';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { person, startHub, type TestHub } from './harness.ts';

/*
 * Who may do what with an organization, apart from its members, its roles and its groups (those have tables of their
 * own). Everybody has an e-mail address of the domain that may join, and an invitation to it.
 *
 *   look, repos            its overview, its repositories          make, plan   make an organization, one with a plan
 *   log, head, export      its audit log, the end of it, all        join, accept to belong to it
 *   repo, secret           make a repository, public and private   invited      the invitations to oneself
 *   open, hidden           read a repository, a private one        tokens       one's access tokens
 *   access                 explain what one may do                 drop         end one of them
 */
const ACTIONS =
  'look repos log head export access repo secret open hidden make plan join accept invited tokens drop'.split(' ');

const TABLE = `
                             look repos log head export access repo secret open hidden make plan join accept invited tokens drop
  nobody                     200  401   401 401  401    401    401  401    200  401    401  401 401  401    401     401    401
  an unknown token           401  401   401 401  401    401    401  401    401  401    401  401 401  401    401     401    401
  a stranger                 200  200   403 403  403    403    403  403    200  404    200  403 200  200    200     200    200
  a site administrator       200  200   403 403  403    403    403  403    200  404    200  200 200  200    200     200    200
  a member without access    200  200   403 403  403    200    403  403    200  404    200  403 200  200    200     200    200
  a reader                   200  200   403 403  403    200    403  403    200  200    200  403 200  200    200     200    200
  a reader by a custom role  200  200   403 403  403    200    403  403    200  200    200  403 200  200    200     200    200
  a contributor              200  200   403 403  403    200    200  200    200  200    200  403 200  200    200     200    200
  a writer                   200  200   403 403  403    200    200  200    200  200    200  403 200  200    200     200    200
  an admin                   200  200   200 200  200    200    200  200    200  200    200  403 200  200    200     200    200
  an admin by a custom role  200  200   200 200  200    200    200  200    200  200    200  403 200  200    200     200    200
  a stranger, read           200  200   403 403  403    403    403  403    200  404    403  403 403  403    200     200    403
  a reader, read             200  200   403 403  403    200    403  403    200  200    403  403 403  403    200     200    403
  a writer, read             200  200   403 403  403    200    403  403    200  200    403  403 403  403    200     200    403
  an admin, read             200  200   200 200  200    200    403  403    200  200    403  403 403  403    200     200    403
  an admin, org.read on it   200  200   200 200  200    200    403  403    200  404    403  403 403  403    403     403    403
  an admin, org.write on it  200  200   200 200  200    200    403  403    200  404    403  403 403  403    403     403    403
  an admin, repo.write on it 200  200   403 403  403    403    200  200    200  200    403  403 403  403    403     403    403
  an admin, repo.content.read on it 200 200 403 403 403 403    403  403    200  200    403  403 403  403    403     403    403
  an admin, discussion.write on it  200 200 403 403 403 403    403  403    200  404    403  403 403  403    403     403    403
  an admin, resourceGroup.write on it 200 200 403 403 403 403  403  403    200  404    403  403 403  403    403     403    403
  an admin, org.write elsewhere     200 200 403 403 403 403    403  403    200  404    403  403 403  403    403     403    403
  an admin, repo.write elsewhere    200 200 403 403 403 403    403  403    200  404    403  403 403  403    403     403    403
  an admin, org.write on oneself    200 200 403 403 403 403    403  403    200  404    200  403 403  403    403     403    403
  an admin, user.settings.read on oneself  200 200 403 403 403 403 403 403 200  404    403  403 403  403    200     200    403
  an admin, user.settings.write on oneself 200 200 403 403 403 403 403 403 200  404    403  403 200  200    200     200    200
  a reader, org.write on it  200  200   403 403  403    200    403  403    200  404    403  403 403  403    403     403    403
  a reader, repo.write on it 200  200   403 403  403    403    403  403    200  200    403  403 403  403    403     403    403
  a stranger, org.write on it       200 200 403 403 403 403    403  403    200  404    403  403 403  403    403     403    403
  a stranger, repo.write on it      200 200 403 403 403 403    403  403    200  404    403  403 403  403    403     403    403`;

const PEOPLE: Readonly<Record<string, string>> = {
  'a site administrator': 'admin',
  'a member without access': 'nora',
  'a reader': 'rita',
  'a reader by a custom role': 'cleo',
  'a contributor': 'cora',
  'a writer': 'will',
  'an admin': 'ada',
  'an admin by a custom role': 'stella',
  'a stranger': 'zoe',
};

const rows = TABLE.trim()
  .split('\n')
  .slice(1)
  .flatMap((line) => {
    const [, who = '', cells = ''] = /^\s*(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
    const statuses = cells.trim().split(/\s+/).map(Number);
    if (statuses.length !== ACTIONS.length) throw new Error(`A cell is missing: ${line}`);
    return ACTIONS.map((action, at) => ({ who, action, status: statuses[at] ?? 0 }));
  });

let hub: TestHub;
let made = 0;
const ids = new Map<string, string>();

beforeAll(async () => {
  hub = await startHub();
  const users = ['ada', 'eve', 'stella', 'will', 'cora', 'rita', 'cleo', 'nora', 'zoe'];
  await hub.apply({
    users: [
      { name: 'admin', email: 'admin@acme.com' },
      ...users.map((name) => ({
        ...person(name),
        email: `${name}@acme.com`,
        tokens: [...person(name).tokens, { name: 'reading', role: 'read' as const, token: `hf_reading00${name}` }],
      })),
    ],
  });
  for (const { id, name } of await hub.database.read.selectFrom('accounts').select(['id', 'name']).execute())
    ids.set(name, id);
});
afterAll(() => hub[Symbol.asyncDispose]());

interface Scene {
  readonly name: string;
  readonly invitation: string;
  /** A token of the caller that the test can delete. */
  readonly spare: string;
}

/** Creates an organization for a row. */
async function scene(user: string): Promise<Scene> {
  made += 1;
  const name = `acme${made}`;
  const members = { ada: 'admin', eve: 'admin', will: 'write', cora: 'contributor', rita: 'read', nora: 'no_access' };
  await hub.apply({
    organizations: [
      { name, plan: 'enterprise', members: Object.entries(members).map(([who, role]) => ({ user: who, role })) },
    ],
  });
  const eve = { ...hub.as('eve'), name };
  for (const [role, base, who] of [
    ['steward', 'admin', 'stella'],
    ['auditor', 'read', 'cleo'],
  ] as const) {
    await ask(eve, `POST /api/organizations/${name}/roles`, { name: role, base });
    await ask(eve, `PUT /api/organizations/${name}/members/${who}`, { role });
  }
  const { id } = (await (await ask(eve, `PATCH /api/organizations/${name}`, { joinDomains: ['acme.com'] })).json()) as {
    id: string;
  };
  ids.set(name, id);
  await createRepo({ ...eve, repo: `${name}/open` });
  await createRepo({ ...eve, repo: `${name}/hidden`, private: true });
  const { id: invitation } = await createInvitation({ ...eve, email: `${user}@acme.com`, role: 'read' });
  const owner = user === 'admin' ? hub.admin : hub.as(user);
  const { id: spare } = await createAccessToken({ ...owner, displayName: `spare ${made}`, role: 'read' });
  return { name, invitation, spare };
}

/** Returns the caller of a row: a user, and after a comma the scope of the token. */
async function callerOf(who: string, user: string, name: string): Promise<Asked> {
  const [, token] = who.split(', ');
  if (who === 'nobody') return { hubUrl: hub.url };
  if (who === 'an unknown token') return hub.with('hf_unknownUnknown');
  const owner = user === 'admin' ? hub.admin : hub.as(user);
  if (token === undefined) return owner;
  if (token === 'read') return hub.with(`hf_reading00${user}`);
  const [permission = '', ...where] = token.split(' ');
  const entity = { 'on it': ids.get(name), 'on oneself': ids.get(user), elsewhere: 'f'.repeat(24) }[where.join(' ')];
  const { token: value } = await createAccessToken({
    ...owner,
    displayName: `fine ${made}`,
    role: 'fineGrained',
    fineGrained: { scoped: [{ entity: { _id: entity ?? '', type: 'org' }, permissions: [permission as 'org.read'] }] },
  });
  return hub.with(value);
}

function requestOf(action: string, { name, invitation, spare }: Scene): [`${Method} ${string}`, object?] {
  const org = `/api/organizations/${name}` as const;
  const requests: Record<string, [`${Method} ${string}`, object?]> = {
    look: [`GET ${org}/overview`],
    repos: [`GET ${org}/settings/repositories`],
    log: [`GET ${org}/audit-log`],
    head: [`GET ${org}/audit-log/head`],
    export: [`GET ${org}/audit-log/export`],
    access: [`GET ${org}/access`],
    repo: ['POST /api/repos/create', { name: `${name}/new` }],
    secret: ['POST /api/repos/create', { name: `${name}/new`, private: true }],
    open: [`GET /api/models/${name}/open`],
    hidden: [`GET /api/models/${name}/hidden`],
    make: ['POST /api/organizations', { name: `${name}-sister` }],
    plan: ['POST /api/organizations', { name: `${name}-sister`, plan: 'plus' }],
    join: [`POST ${org}/join`],
    accept: [`POST /api/settings/invitations/${invitation}/accept`],
    invited: ['GET /api/settings/invitations'],
    tokens: ['GET /api/settings/tokens'],
    drop: [`DELETE /api/settings/tokens/${spare}`],
  };
  const request = requests[action];
  if (!request) throw new Error(`No action ${action}`);
  return request;
}

test.each(rows)('$who: $action → $status', async ({ who, action, status }) => {
  const user = PEOPLE[who.split(', ')[0] ?? ''] ?? 'zoe';
  const setting = await scene(user);
  const answer = await ask(await callerOf(who, user, setting.name), ...requestOf(action, setting));
  expect([answer.status, answer.status === status ? '' : await answer.text()]).toEqual([status, '']);
});
