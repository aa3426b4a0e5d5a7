import { branchKey, commentKey, discussionKey, patchKey, settingsKey, userKey } from './changes.ts';

/** The accounts and repositories that exist for the load. */
export interface Fixture {
  /** The tokens of the users whose inboxes fill. */
  readonly readers: readonly string[];
  /** The token of the user who makes the changes. */
  readonly writer: string;
  readonly admin: string;
  /** Repositories with a discussion 1, which belong to the organizations in turn. */
  readonly repos: readonly string[];
  /** Repositories whose settings are changed once each. */
  readonly changed: readonly string[];
  readonly webhooks: readonly string[];
  /** The organization with an identity provider. */
  readonly provisioned: string;
  readonly provisionedUsers: number;
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly token: string;
  readonly body?: object;
  /** The key of the change that the request makes. */
  readonly key?: string;
  readonly scim?: true;
}

export interface Kind {
  readonly name: string;
  readonly group: 'reads' | 'writes' | 'SCIM' | 'exports';
  readonly perSecond: number;
  /** Returns the request number `at`; undefined if there is nothing to request yet. */
  make(at: number): Ask | undefined;
}

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;

const INBOX = ['', '?readStatus=unread', '?p=1', '?repoType=model', '?mention=participating'];
const LOG = ['?limit=100', '?limit=100&status=delivered', '?limit=100&scope=discussion'];

/** SCIM users that the load created, with their ids, for later changes. */
export type MadeUsers = { readonly userName: string; readonly id: string }[];

/** Returns the load: 50 reads, 20 writes and 5 SCIM calls a second, and exports. */
export function mixedLoad(fixture: Fixture, made: MadeUsers, exportSeconds: number): Kind[] {
  const { writer, admin } = fixture;
  const reader = (at: number) => turn(fixture.readers, at);
  const read = (
    name: string,
    perSecond: number,
    path: (at: number) => string,
    token: (at: number) => string = () => admin,
  ): Kind => ({
    name,
    group: 'reads',
    perSecond,
    make: (at) => ({ method: 'GET', path: path(at), token: token(at) }),
  });
  const scim = `/api/organizations/${fixture.provisioned}/scim/v2/Users`;
  const filtered = (at: number) => `userName eq "user-${(at * 7919) % fixture.provisionedUsers}@example.com"`;
  const askScim = (name: string, perSecond: number, make: (at: number) => Omit<Ask, 'token' | 'scim'> | undefined) => ({
    name: `SCIM ${name}`,
    group: 'SCIM' as const,
    perSecond,
    make: (at: number): Ask | undefined => {
      const ask = make(at);
      return ask && { ...ask, token: admin, scim: true };
    },
  });
  return [
    read('inbox', 25, (at) => `/api/notifications${turn(INBOX, at)}`, reader),
    read('webhooks', 10, () => '/api/settings/webhooks'),
    read('delivery log', 10, (at) => `/api/settings/webhooks/${turn(fixture.webhooks, at * 7)}/logs${turn(LOG, at)}`),
    read('members', 5, () => `/api/organizations/${fixture.provisioned}/members?limit=100`),
    ...writes(fixture.repos, fixture.changed, writer),
    askScim('create', 1, (at) => {
      const userName = `made-${at}@example.com`;
      const body = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
        userName,
        name: { givenName: 'Made', familyName: `User ${at}` },
        emails: [{ value: userName, type: 'work', primary: true }],
        active: true,
      };
      return { method: 'POST', path: scim, body, key: userKey(userName) };
    }),
    askScim('patch', 1, () => {
      const user = made.shift();
      const body = {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'name.givenName', value: 'Patched' }],
      };
      return user && { method: 'PATCH', path: `${scim}/${user.id}`, body, key: patchKey(user.userName) };
    }),
    askScim('list', 1, (at) => ({ method: 'GET', path: `${scim}?startIndex=${1 + (at % 10) * 100}&count=100` })),
    askScim('filter', 2, (at) => ({ method: 'GET', path: `${scim}?filter=${encodeURIComponent(filtered(at))}` })),
    {
      name: 'audit export',
      group: 'exports',
      perSecond: 1 / exportSeconds,
      make: () => ({ method: 'GET', path: `/api/organizations/${fixture.provisioned}/audit-log/export`, token: admin }),
    },
  ];
}

/** Returns the changes that webhooks get: 20 a second. */
function writes(repos: readonly string[], changed: readonly string[], token: string): Kind[] {
  const write = (name: string, perSecond: number, make: (at: number) => Omit<Ask, 'token'> | undefined): Kind => ({
    name,
    group: 'writes',
    perSecond,
    make: (at) => {
      const ask = make(at);
      return ask && { ...ask, token };
    },
  });
  return [
    write('discussion', 4, (at) => {
      const [repo, title] = [turn(repos, at), `Discussion ${at}`];
      const body = { title, description: 'What is it about?' };
      return { method: 'POST', path: `/api/models/${repo}/discussions`, body, key: discussionKey(repo, title) };
    }),
    write('comment', 8, (at) => {
      const [repo, comment] = [turn(repos, at), `Comment ${at}`];
      const path = `/api/models/${repo}/discussions/1/comment`;
      return { method: 'POST', path, body: { comment }, key: commentKey(repo, comment) };
    }),
    write('branch', 6, (at) => {
      const [repo, branch] = [turn(repos, at), `branch-${at}`];
      return {
        method: 'POST',
        path: `/api/models/${repo}/branch/${branch}`,
        body: {},
        key: branchKey(repo, branch),
      };
    }),
    write('settings', 2, (at) => {
      const repo = changed[at];
      const body = { gated: 'auto' };
      return repo === undefined
        ? undefined
        : { method: 'PUT', path: `/api/models/${repo}/settings`, body, key: settingsKey(repo) };
    }),
  ];
}
