import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createAccessToken } from '@moonbase/client/access-tokens';
import { exportSiteAuditLog } from '@moonbase/client/audit-log';
import { createDiscussion, editComment, renameDiscussion } from '@moonbase/client/discussions';
import { exportOwnData, exportUserData, type PersonalData } from '@moonbase/client/personal-data';
import { createRepo } from '@moonbase/client/repositories';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { PERMISSIONS } from '@moonbase/contract/accounts/access-tokens';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { newCommentData } from '../src/comments/index.ts';
import { ask } from './ask.ts';
import { openBrowser } from './browser.ts';
import { SECOND } from './clock.ts';
import { type Connection, person, startHub, type TestHub, tokenOf } from './harness.ts';
import { openProgram } from './oauth-programs.ts';
import { SECTION_OF, undeclaredColumns } from './personal-data-columns.ts';
import { inSection, type Line, linesOf, startPersonalDataHub, textOf } from './personal-data-hub.ts';
import { plainHashing } from './plain-hashing.ts';
import { withPassword } from './signed-in.ts';

const SECTIONS = [
  ...['account', 'notificationSettings', 'mcpSettings', 'providerRecords', 'memberships', 'resourceGroups'],
  ...['invitations', 'accessRequests', 'sessions', 'signIns', 'accessTokens', 'oauthGrants', 'oauthApplications'],
  ...[
    'trustedPublishers',
    'identities',
    'watched',
    'muted',
    'likes',
    'upvotes',
    'repositories',
    'mirrors',
    'fileLocks',
  ],
  ...['collections', 'discussions', 'discussionComments', 'discussionChanges', 'comments', 'posts', 'paperAuthorships'],
  ...[
    'paperClaims',
    'notifications',
    'doneNotifications',
    'suspendedNotifications',
    'webhooks',
    'jobs',
    'scheduledJobs',
  ],
  'auditLog',
];

const sectionsOf = (lines: readonly Line[]) => [...new Set(lines.map(({ section }) => section))];

/** Sends a GET request, and reads nothing of the response. */
async function getWithoutReading({ hubUrl, accessToken }: Connection, path: string): Promise<Socket> {
  const { host, hostname, port } = new URL(hubUrl);
  const socket = connect(Number(port), hostname);
  socket.pause().on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${accessToken}\r\n\r\n`);
  return socket;
}

/** Returns what a socket still receives. */
async function textFrom(socket: Socket): Promise<string> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece)).resume();
  await once(socket, 'close');
  return Buffer.concat(pieces).toString('latin1');
}

describe('an export', () => {
  let at: Awaited<ReturnType<typeof startPersonalDataHub>>;
  let text: string;
  let lines: Line[];
  beforeAll(async () => {
    at = await startPersonalDataHub();
    text = await textOf(at.ada);
    lines = linesOf(text);
  });
  afterAll(() => at.hub[Symbol.asyncDispose]());

  test('has every section, between a first and a last line', () => {
    expect(lines[0]).toEqual({
      ...{ section: 'export', version: 1, user: 'ada' },
      createdAt: new Date(at.hub.clock.now()).toISOString(),
    });
    expect(sectionsOf(lines)).toEqual(['export', ...SECTIONS, 'end']);
  });

  test('says who the user is, and how the user signs in', () => {
    expect(inSection(lines, 'account')).toEqual([
      expect.objectContaining({ name: 'ada', fullname: 'Ada', email: 'ada@example.com', storageGib: null }),
    ]);
    expect(inSection(lines, 'account')[0]).toHaveProperty('secondFactorSince');
    expect(inSection(lines, 'accessTokens').map(({ displayName }) => displayName)).toEqual(['laptop', 'test']);
    expect(inSection(lines, 'identities')).toEqual([expect.objectContaining({ email: 'ada@login.example' })]);
    expect(inSection(lines, 'providerRecords')).toEqual([
      expect.objectContaining({ organization: 'acme', userName: 'ada.l', email: 'ada@provider.example' }),
    ]);
    expect(inSection(lines, 'sessions')[0]).toMatchObject({ address: expect.any(String) });
  });

  test('has what the user wrote, with the names of what the user may read', () => {
    const own = inSection(lines, 'discussionComments');
    expect(own.map(({ raw }) => raw)).toEqual([
      ...['my words in secret', 'my description', 'my words in open', 'my description'],
    ]);
    expect(own[0]).toMatchObject({
      repo: { type: 'model', name: 'acme/secret' },
      discussion: { num: 1, title: 'covert plan' },
    });
    expect(inSection(lines, 'discussions').map(({ title }) => title)).toEqual(['My question', 'My question']);
    expect(inSection(lines, 'discussionChanges').map(({ data }) => data)).toContainEqual({ status: 'closed' });
    expect(inSection(lines, 'comments')).toEqual([
      expect.objectContaining({ raw: 'What a paper', thread: expect.objectContaining({ name: '2401.01234' }) }),
    ]);
    expect(inSection(lines, 'likes').map(({ repo }) => repo)).toEqual([
      { type: 'model', name: 'acme/secret' },
      { type: 'model', name: 'bob/open' },
    ]);
  });

  test('has no secret, no hash of one, and no text of others', async () => {
    const { read } = at.hub.database;
    const hashes = await Promise.all([
      ...['tokens', 'sessions', 'oauth_tokens', 'recovery_codes', 'passwords'].map((table) =>
        sql<{ secret: string }>`select hash as secret from ${sql.table(table)}`.execute(read),
      ),
      sql<{ secret: string }>`select sealed as secret from second_factors`.execute(read),
      sql<{ secret: string }>`select secret_hash as secret from oauth_apps`.execute(read),
      sql<{ secret: string }>`select secret from webhooks`.execute(read),
      sql<{ secret: string }>`select secrets as secret from jobs`.execute(read),
    ]);
    const stored = hashes.flatMap(({ rows }) => rows.map(({ secret }) => secret));
    expect(stored.length).toBeGreaterThan(15);
    expect(at.secrets.length).toBeGreaterThan(15);
    for (const secret of [...stored, ...at.secrets]) {
      expect(secret.length).toBeGreaterThan(7);
      expect(text.includes(secret)).toBe(false);
    }
    expect(text).not.toContain('covert words');
    expect(inSection(lines, 'mirrors')).toEqual([
      expect.objectContaining({ url: 'https://git.example/x', repo: { type: 'model', name: 'acme/plain' } }),
    ]);
  });

  test('has nothing of others', async () => {
    const eve = linesOf(await textOf(at.hub.as('eve')));
    const withItems = ['account', 'notificationSettings', 'mcpSettings', 'accessTokens', 'auditLog'];
    expect(sectionsOf(eve)).toEqual(['export', ...withItems, 'end']);
    expect(inSection(eve, 'accessTokens')).toHaveLength(1);
    expect(JSON.stringify(eve)).not.toMatch(/\bada\b|acme|bob/);
  });

  test('declares every column about an account', async () => {
    const { undeclared, unknown } = await undeclaredColumns(at.hub.database);
    expect({ undeclared, unknown }).toEqual({ undeclared: [], unknown: [] });
    expect([...new Set(Object.values(SECTION_OF))].filter((section) => !SECTIONS.includes(section))).toEqual([]);
  });

  test('of somebody else is for site administrators, and the same', async () => {
    const ofAdmin = linesOf(await textOf(at.hub.admin, 'ADA'));
    const changing = new Set(['export', 'auditLog', 'accessTokens']);
    const lasting = (all: readonly Line[]) => all.filter(({ section }) => !changing.has(section) && section !== 'end');
    expect(lasting(ofAdmin)).toEqual(lasting(lines));
  });
});

test('without access, the user keeps the own part and loses the names', async () => {
  const { hub, ada, bob } = await startPersonalDataHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  const secret = { type: 'model', repo: 'acme/secret' } as const;
  await renameDiscussion({ ...bob, ...secret, num: 2, title: 'covert title' });
  const [own] = inSection(linesOf(await textOf(ada)), 'discussionComments');
  await editComment({ ...bob, ...secret, num: 2, commentId: await secondComment(hub), content: 'covert edit' });
  expect(inSection(linesOf(await textOf(ada)), 'discussions').map(({ title }) => title)).toContain('covert title');
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'ada', state: 'absent' }] }] });
  await hub.drain();
  const text = await textOf(ada);
  const lines = linesOf(text);
  expect(text).not.toMatch(/acme\/secret|covert (?:title|shelf|edit|words)|covert\.bin/);
  const [first, second] = inSection(lines, 'discussionComments');
  expect(first).toMatchObject({ id: own?.id, raw: 'my words in secret', repo: null });
  expect(first?.discussion).toEqual({ id: expect.any(String) });
  expect(second).toMatchObject({ raw: null, repo: null });
  expect(inSection(lines, 'likes').map(({ repo }) => repo)).toEqual([null, { type: 'model', name: 'bob/open' }]);
  expect(inSection(lines, 'discussions').map(({ title }) => title)).toEqual([null, 'My question']);
  expect(inSection(lines, 'upvotes')).toEqual([
    expect.objectContaining({ collection: { id: expect.any(String), title: null } }),
  ]);
  expect(inSection(lines, 'fileLocks')).toEqual([expect.objectContaining({ path: null, repo: null })]);
  expect(inSection(lines, 'collections')[0]?.items).toEqual([
    expect.objectContaining({ note: 'my note', repo: null }),
    expect.objectContaining({ note: 'my note', repo: { type: 'model', name: 'bob/open' } }),
  ]);
});

/** Returns the id of ada's second comment, which opened a discussion in the private repository. */
async function secondComment(hub: TestHub): Promise<string> {
  const lines = linesOf(await textOf(hub.as('ada')));
  return String(inSection(lines, 'discussionComments')[1]?.id);
}

/** Fills a hub: ada has 251 comments of 60,000 characters, and watches 251 accounts. */
async function fill(hub: TestHub): Promise<void> {
  await hub.people('ada', 'bob');
  await createRepo({ ...hub.as('bob'), repo: 'bob/open' });
  await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'bob/open', title: 'Talk', description: '.' });
  const { id } = await hub.database.read.selectFrom('discussions').select('id').executeTakeFirstOrThrow();
  const user = await hub.database.read.selectFrom('accounts').select('id').where('name', '=', 'ada').executeTakeFirst();
  const comment = { ...newCommentData({ raw: 'x'.repeat(60_000) }, 1) };
  await hub.database.transaction(async (tx) => {
    for (let at = 0; at < 251; at++) {
      const row = { id: at.toString(16).padStart(24, '0'), user_id: user?.id ?? '', created_at: at };
      const data = JSON.stringify({ ...comment, raw: `${at} ${comment.raw}` });
      await tx
        .insertInto('discussion_events')
        .values({ id: row.id, discussion_id: id, type: 'comment', author_id: row.user_id, created_at: at, data })
        .execute();
      await tx
        .insertInto('watches')
        .values({ user_id: row.user_id, target_type: 'user', target_id: row.id, created_at: at })
        .execute();
    }
  });
}

describe('with many rows', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHub();
    await fill(hub);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  test('an export has all pages, each row once', async () => {
    const lines = linesOf(await textOf(hub.as('ada')));
    const comments = inSection(lines, 'discussionComments').map(({ raw }) => Number(String(raw).split(' ')[0]));
    expect(comments).toEqual(Array.from({ length: 251 }, (_, at) => at));
    expect(new Set(inSection(lines, 'watched').map(({ id }) => id)).size).toBe(251);
  });

  test('a user runs one export at a time, and others run theirs', async () => {
    const first = await exportOwnData(hub.as('ada'));
    await expect(exportOwnData(hub.as('ada'))).rejects.toMatchObject({ status: 429 });
    await expect(exportUserData({ ...hub.admin, username: 'ada' })).rejects.toMatchObject({ status: 429 });
    expect(linesOf(await textOf(hub.as('bob'))).length).toBeGreaterThan(3);
    await first.text.cancel();
    await expect.poll(async () => exportOwnData(hub.as('ada')).then(({ text }) => text.cancel())).toBeUndefined();
  });

  test('an export ends when its caller is disabled', async () => {
    const begun: PersonalData[] = [];
    // The hub may not have noticed yet that the client of the test before has left.
    await expect.poll(async () => begun.push(await exportOwnData(hub.as('ada')))).toBe(1);
    await disableUser({ ...hub.admin, username: 'ada' });
    await expect(new Response(begun[0]?.text).text()).rejects.toThrow();
    await enableUser({ ...hub.admin, username: 'ada' });
  });
});

test('a client that reads nothing is cut off, and keeps no place', async () => {
  const hub = await startHub({}, { exportStallMs: 1_000 });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await fill(hub);
  const exports = async () => (await exportSiteAuditLog({ ...hub.admin, q: 'type:user.export' })).length;
  const before = await exports();
  const socket = await getWithoutReading(hub.as('ada'), '/api/settings/export');
  onTestFinished(() => void socket.destroy());
  await expect.poll(exports).toBe(before + 1);
  const status = async () => {
    const response = await ask(hub.as('ada'), 'GET /api/settings/export');
    await response.body?.cancel();
    if (response.status === 429) expect(response.headers.get('retry-after')).toBe('30');
    return response.status;
  };
  expect(await status()).toBe(429);
  await expect.poll(status, { timeout: 10_000 }).toBe(200);
  expect(await textFrom(socket)).not.toContain('"section":"end"');
});

describe('who exports', () => {
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startHub({}, { hashing: plainHashing });
    await hub.apply({
      users: ['ada', 'bob', 'eve'].map(person),
      organizations: [
        {
          name: 'acme',
          plan: 'enterprise',
          members: [
            { user: 'bob', role: 'admin' },
            { user: 'ada', role: 'write' },
          ],
        },
      ],
    });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const own = async (token: string | undefined) => {
    const response = await ask({ hubUrl: hub.url, ...(token && { accessToken: token }) }, 'GET /api/settings/export');
    await response.body?.cancel();
    return response.status;
  };
  const ofAda = async (caller: Parameters<typeof ask>[0]) =>
    (await ask(caller, 'GET /api/admin/users/ada/export')).status;
  const recorded = async () =>
    (await exportSiteAuditLog({ ...hub.admin, q: 'type:user.export' })).map(({ author, message }) => [
      author.user,
      message,
    ]);

  test('HEAD answers as GET would, and exports nothing', async () => {
    const head = (path: string, { accessToken }: { readonly accessToken: string }) =>
      fetch(hub.url + path, { method: 'HEAD', headers: { authorization: `Bearer ${accessToken}` } });
    const exports = async () => (await exportSiteAuditLog({ ...hub.admin, q: 'type:user.export' })).length;
    const before = await exports();
    const answer = await head('/api/settings/export', hub.as('ada'));
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/ada-[\d-]{10}\.ndjson/),
    ]);
    expect(await exports()).toBe(before);
    expect((await head('/api/admin/users/nobody/export', hub.admin)).status).toBe(404);
    expect((await head('/api/admin/users/ada/export', hub.as('ada'))).status).toBe(403);
  });

  test('the user does, with a session or a token that nothing restricts', async () => {
    const browser = openBrowser(hub);
    expect((await browser.ask('POST /api/sign-in/token', { token: tokenOf('eve') })).status).toBe(200);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${hub.url}/api/settings/export`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const date = new Date(hub.clock.now()).toISOString().slice(0, 10);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="eve-${date}.ndjson"`);
    expect(linesOf(await response.text()).length).toBeGreaterThan(3);
    expect(await own(tokenOf('eve'))).toBe(200);
    expect(await recorded()).toEqual([
      ['eve', 'Exported the personal data of eve'],
      ['eve', 'Exported the personal data of eve'],
    ]);
  });

  test('a narrow token, an application, and a token that an organization refuses do not', async () => {
    const before = await recorded();
    const ada = hub.as('ada');
    const read = await createAccessToken({ ...ada, displayName: 'read', role: 'read' });
    const global = [...PERMISSIONS];
    const fine = await createAccessToken({ ...ada, displayName: 'fine', role: 'fineGrained', fineGrained: { global } });
    const browser = await withPassword(hub, 'ada');
    const { userCode, poll } = await openProgram(hub);
    await browser.ask('POST /api/oauth/device/decision', { userCode, decision: 'allow', organizations: ['acme'] });
    hub.clock.advance(5 * SECOND);
    const { access_token: program } = (await poll()).body;
    for (const token of [read.token, fine.token, program]) expect(await own(token)).toBe(403);
    expect(await own(undefined)).toBe(401);
    expect(await own(tokenOf('ada'))).toBe(200);
    await ask(hub.as('bob'), 'POST /api/organizations/acme/settings/tokens/revoke', { token: tokenOf('ada') });
    expect(await own(tokenOf('ada'))).toBe(403);
    expect(await recorded()).toHaveLength(before.length + 1);
  });

  test('a site administrator does, of anybody who is there; nobody else does', async () => {
    const before = await recorded();
    for (const user of ['ada', 'bob', 'eve']) expect(await ofAda(hub.as(user))).toBe(403);
    expect(await ofAda({ hubUrl: hub.url })).toBe(401);
    for (const role of ['read', 'fineGrained'] as const) {
      const fineGrained = role === 'read' ? undefined : { global: [...PERMISSIONS] };
      const { token } = await createAccessToken({ ...hub.admin, displayName: role, role, fineGrained });
      expect(await ofAda(hub.with(token))).toBe(403);
    }
    await disableUser({ ...hub.admin, username: 'ada' });
    const [account] = inSection(linesOf(await textOf(hub.admin, 'ada')), 'account');
    expect(account).toMatchObject({ name: 'ada', disabled: true });
    expect((await recorded())[0]).toEqual(['admin', 'Exported the personal data of ada']);
    await deleteUser({ ...hub.admin, username: 'ada' });
    expect(await ofAda(hub.admin)).toBe(404);
    for (const name of ['acme', 'nobody'])
      expect((await ask(hub.admin, `GET /api/admin/users/${name}/export`)).status).toBe(404);
    expect(await recorded()).toHaveLength(before.length + 1);
  });
});
