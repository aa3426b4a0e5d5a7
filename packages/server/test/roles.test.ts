import { changeDiscussionStatus, commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, ask } from './ask.ts';
import { person, startHub, type TestHub } from './harness.ts';

/*
 * Who may do what with a repository. Two of them, each public and private: `ours` belongs to an organization, `mine`
 * to alice. What is discussed there was written by somebody else, while the repository was still public.
 *
 *   create      another repository beside it       discuss    open a discussion
 *   delete, move, settings                         comment    on a discussion
 *   branch, tag create one                         close      the discussion of somebody else
 *   read, refs  its info, its branches             hide       the comment of somebody else
 *   may, might  whether one may read, may write    merge, erase: a pull request, a discussion of somebody else
 *   list, look  at discussions, at one             pin, unref: a discussion, the ref of a pull request
 */
const CHANGES = 'create delete move settings branch tag discuss comment close hide merge erase pin unref';
const READS = 'read refs may list look might';
const ACTIONS = `${CHANGES} ${READS}`.split(' ');

const OURS = {
  public: `
    an admin                    200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    a writer                    200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    the contributor who made it 200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    another contributor         200 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a reader                    403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a member without access     403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a stranger                  403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a site administrator        403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a read token of an admin    403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    nobody                      401 401 401 401 401 401  401 401 401 401 401 401  401 401  200 200 200 200 200 401
    an unknown token            401 401 401 401 401 401  401 401 401 401 401 401  401 401  401 401 401 401 401 401`,
  private: `
    an admin                    200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    a writer                    200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    the contributor who made it 200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    another contributor         200 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a reader                    403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    a member without access     403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    a stranger                  403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    a site administrator        403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    a read token of an admin    403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    nobody                      401 401 401 401 401 401  401 401 401 401 401 401  401 401  401 401 401 401 401 401
    an unknown token            401 401 401 401 401 401  401 401 401 401 401 401  401 401  401 401 401 401 401 401`,
};

/** The tokens of alice, with their scopes in `SCOPES`. A move also creates, so it needs the owner in scope. */
const MINE = {
  public: `
    the owner                   200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    a read token                403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    write on the owner          200 200 200 200 200 200  403 403 403 403 403 403  403 403  200 200 200 200 200 200
    discuss on the owner        403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    both on the owner           200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    both on the repository      403 200 403 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    read on the repository      403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    both on another repository  403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    both on an organization     403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    discuss everywhere          403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403
    nothing anywhere            403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    a stranger                  403 403 403 403 403 403  200 201 403 403 403 403  403 403  200 200 200 200 200 403`,
  private: `
    the owner                   200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    a read token                403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    write on the owner          200 200 200 200 200 200  403 403 403 403 403 403  403 403  200 200 200 200 200 200
    discuss on the owner        403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    both on the owner           200 200 200 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    both on the repository      403 200 403 200 200 200  200 201 200 200 200 200  200 200  200 200 200 200 200 200
    read on the repository      403 403 403 403 403 403  403 403 403 403 403 403  403 403  200 200 200 200 200 403
    both on another repository  403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    both on an organization     403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    discuss everywhere          403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    nothing anywhere            403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404
    a stranger                  403 404 404 404 404 404  404 404 404 404 404 404  404 404  404 404 404 404 404 404`,
};

const BOTH = ['repo.write', 'discussion.write'];
interface Entities {
  readonly owner: string;
  readonly repo: string;
  readonly other: string;
  readonly org: string;
}
const on = (entityId: string, permissions: string[]): FineGrained => ({
  scoped: [{ entity: { _id: entityId, type: 'user' }, permissions }],
});
const SCOPES: Readonly<Record<string, (ids: Entities) => FineGrained>> = {
  'write on the owner': ({ owner }) => on(owner, ['repo.write']),
  'discuss on the owner': ({ owner }) => on(owner, ['discussion.write']),
  'both on the owner': ({ owner }) => on(owner, BOTH),
  'both on the repository': ({ repo }) => on(repo, BOTH),
  'read on the repository': ({ repo }) => on(repo, ['repo.content.read']),
  'both on another repository': ({ other }) => on(other, BOTH),
  'both on an organization': ({ org }) => on(org, BOTH),
  'discuss everywhere': () => ({ scoped: [], global: ['discussion.write'] }),
  'nothing anywhere': () => ({ scoped: [], global: [] }),
};

const PEOPLE: Readonly<Record<string, string>> = {
  'an admin': 'ada',
  'a writer': 'will',
  'the contributor who made it': 'carl',
  'another contributor': 'cora',
  'a reader': 'rita',
  'a member without access': 'nora',
  'a stranger': 'zoe',
  'the owner': 'alice',
};

interface Row {
  readonly who: string;
  readonly action: string;
  readonly visibility: 'public' | 'private';
  readonly status: number;
}

/** Returns each cell of a table. */
function rowsOf(tables: Record<Row['visibility'], string>): Row[] {
  return Object.entries(tables).flatMap(([visibility, table]) =>
    table
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [, who = '', cells = ''] = /^\s*(.*?)\s+((?:\d{3}\s*)+)$/.exec(line) ?? [];
        const statuses = cells.trim().split(/\s+/).map(Number);
        if (statuses.length !== ACTIONS.length) throw new Error(`A cell is missing: ${line}`);
        return ACTIONS.map((action, at) => ({
          who,
          action,
          visibility: visibility as Row['visibility'],
          status: statuses[at] ?? 0,
        }));
      }),
  );
}

let hub: TestHub;
let ids: Pick<Entities, 'owner' | 'other' | 'org'>;
let made = 0;

beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: [
      ...['will', 'carl', 'cora', 'rita', 'nora', 'zoe', 'guest'].map(person),
      {
        ...person('ada'),
        tokens: [...person('ada').tokens, { name: 'reading', role: 'read', token: readTokenOf('ada') }],
      },
      {
        ...person('alice'),
        tokens: [...person('alice').tokens, { name: 'reading', role: 'read', token: readTokenOf('alice') }],
      },
    ],
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'will', role: 'write' },
          { user: 'carl', role: 'contributor' },
          { user: 'cora', role: 'contributor' },
          { user: 'rita', role: 'read' },
          { user: 'nora', role: 'no_access' },
        ],
      },
    ],
  });
  const { id: other } = await createRepo({ ...hub.as('alice'), repo: 'alice/other' });
  const { id: owner } = await whoAmI(hub.as('alice'));
  const org = (await whoAmI(hub.as('ada'))).orgs[0]?.id ?? '';
  ids = { owner, other, org };
});
afterAll(() => hub[Symbol.asyncDispose]());

const readTokenOf = (name: string) => `hf_reading00${name}`;

const FINE_TOKEN = 'hf_fineGrained00';
let scopesNow = '';

/** Sets the scopes of alice's fine-grained token, unless it has them. */
async function scopeToken(scopes: FineGrained): Promise<void> {
  if (scopesNow === JSON.stringify(scopes)) return;
  const token = { name: 'fine', role: 'fineGrained' as const, token: FINE_TOKEN, scopes };
  await hub.apply({ users: [{ name: 'alice', tokens: [token] }] });
  scopesNow = JSON.stringify(scopes);
}

/** Returns the caller of a row; a fine-grained token first gets the scopes of its row. */
async function callerOf(who: string, repo: string): Promise<Asked> {
  if (who === 'nobody') return { hubUrl: hub.url };
  if (who === 'an unknown token') return hub.with('hf_unknownUnknown');
  if (who === 'a site administrator') return hub.admin;
  if (who === 'a read token of an admin') return hub.with(readTokenOf('ada'));
  if (who === 'a read token') return hub.with(readTokenOf('alice'));
  const scopes = SCOPES[who];
  if (!scopes) return hub.as(PEOPLE[who] ?? who);
  await scopeToken(scopes({ ...ids, repo }));
  return hub.with(FINE_TOKEN);
}

/** Returns the request of an action. */
function requestOf(action: string, repo: string, num: number, commentId: string): [`${Method} ${string}`, object?] {
  const api = `/api/models/${repo}` as const;
  const discussion = `${api}/discussions/${num}` as const;
  switch (action) {
    case 'create':
      return ['POST /api/repos/create', { name: `${repo}-new` }];
    case 'delete':
      return ['DELETE /api/repos/delete', { name: repo }];
    case 'move':
      return ['POST /api/repos/move', { fromRepo: repo, toRepo: `${repo}-moved` }];
    case 'settings':
      return [`PUT ${api}/settings`, { gated: 'auto' }];
    case 'branch':
      return [`POST ${api}/branch/draft`, {}];
    case 'tag':
      return [`POST ${api}/tag/main`, { tag: 'v1' }];
    case 'discuss':
      return [`POST ${api}/discussions`, { title: 'A question', description: 'Why?' }];
    case 'comment':
      return [`POST ${discussion}/comment`, { comment: 'Because.' }];
    case 'close':
      return [`POST ${discussion}/status`, { status: 'closed' }];
    case 'hide':
      return [`POST ${discussion}/comment/${commentId}/hide`];
    case 'merge':
      return [`POST ${discussion}/merge`];
    case 'erase':
      return [`DELETE ${discussion}`];
    case 'pin':
      return [`POST ${discussion}/pin`, { pinned: true }];
    case 'unref':
      return [`DELETE ${discussion}/ref`];
    case 'read':
      return [`GET ${api}`];
    case 'refs':
      return [`GET ${api}/refs`];
    case 'may':
      return [`GET ${api}/auth-check`];
    case 'might':
      return [`GET ${api}/auth-check/write`];
    case 'list':
      return [`GET ${api}/discussions`];
    case 'look':
      return [`GET ${discussion}?diff=1`];
    default:
      throw new Error(`No action ${action}`);
  }
}

/** Lets a guest open a pull request or a discussion; returns the id of a comment if the action needs one. */
async function guestIn(repo: string, action: string): Promise<string> {
  const guest = { ...hub.as('guest'), type: 'model', repo } as const;
  await createDiscussion({ ...guest, title: 'A change', description: 'Mine', pullRequest: /merge|unref/.test(action) });
  if (action === 'merge') await changeDiscussionStatus({ ...guest, num: 1, status: 'open' });
  if (action === 'unref') await changeDiscussionStatus({ ...guest, num: 1, status: 'closed' });
  if (action !== 'hide') return '';
  return (await commentDiscussion({ ...guest, num: 1, comment: 'A remark' })).newMessage.id;
}

/** Creates a repository in which a guest opened a pull request, and makes it private if the row says so. */
async function scene({ who, action, visibility }: Omit<Row, 'status'>, namespace: string) {
  made += 1;
  const repo = `${namespace}/repo-${made}`;
  const maker = namespace === 'alice' ? 'alice' : who === 'the contributor who made it' ? 'carl' : 'ada';
  const withGuest = ['comment', 'close', 'hide', 'merge', 'erase', 'pin', 'unref', 'look'].includes(action);
  const isPrivate = visibility === 'private';
  const { id } = await createRepo({ ...hub.as(maker), repo, private: isPrivate && !withGuest });
  const commentId = withGuest ? await guestIn(repo, action) : '';
  if (isPrivate && withGuest) await hub.apply({ repos: [{ name: repo, private: true }] });
  const caller = await callerOf(who, id);
  return { caller, request: requestOf(action, repo, 1, commentId) };
}

async function statusOf(row: Row, namespace: string): Promise<number> {
  const { caller, request } = await scene(row, namespace);
  const answer = await ask(caller, ...request);
  return answer.status;
}

test.each(rowsOf(OURS))('$who, in the $visibility repository of an organization: $action → $status', async (row) => {
  expect(await statusOf(row, 'acme')).toBe(row.status);
});

test.each(rowsOf(MINE))('$who, in the $visibility repository of a user: $action → $status', async (row) => {
  expect(await statusOf(row, 'alice')).toBe(row.status);
});

describe('what a private repository answers to those who may not see it', () => {
  /** Returns all that a caller can learn, except for what differs between any two responses. */
  async function learned(caller: Asked, [request, body]: [`${Method} ${string}`, object?]) {
    const answer = await ask(caller, request, body);
    const headers = Object.fromEntries(answer.headers);
    const { 'x-request-id': _, date: __, ...telling } = headers;
    return { status: answer.status, text: await answer.text(), headers: telling };
  }

  const seeing = ['a stranger', 'a member without access', 'a site administrator', 'nobody'];
  const cases = seeing.flatMap((who) =>
    ACTIONS.filter((action) => action !== 'create').map((action) => ({ who, action })),
  );

  test.each(cases)('is what a missing one answers: $who, $action', async ({ who, action }) => {
    const hidden = await scene({ who, action, visibility: 'private' }, 'acme');
    const missing = requestOf(action, `acme/none-${made}`, 1, '65a0c0ffee00000000000001');
    expect(await learned(hidden.caller, hidden.request)).toEqual(await learned(hidden.caller, missing));
  });

  test.each(['both on another repository', 'discuss everywhere'])(
    'is what a missing one answers to a token of the owner that does not reach it: %s',
    async (who) => {
      for (const action of ACTIONS.filter((name) => name !== 'create')) {
        const hidden = await scene({ who, action, visibility: 'private' }, 'alice');
        const missing = requestOf(action, `alice/none-${made}`, 1, '65a0c0ffee00000000000001');
        expect(await learned(hidden.caller, hidden.request)).toEqual(await learned(hidden.caller, missing));
      }
    },
  );

  test.each(['a stranger', 'a member without access'])(
    'is what a missing one answers wherever its name is used: %s',
    async (who) => {
      const { caller } = await scene({ who, action: 'create', visibility: 'private' }, 'acme');
      const create = (name: string) => learned(caller, ['POST /api/repos/create', { name }]);
      expect(await create(`acme/repo-${made}`)).toEqual(await create('acme/none'));
      await createRepo({ ...hub.as('zoe'), repo: `zoe/repo-${made}` });
      const move = (toRepo: string) =>
        learned(hub.as('zoe'), ['POST /api/repos/move', { fromRepo: `zoe/repo-${made}`, toRepo }]);
      expect(await move(`acme/repo-${made}`)).toEqual(await move('acme/none'));
    },
  );
});
