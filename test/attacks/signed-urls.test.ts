import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileHash, hashToHex } from '@huggingface/xetchunk-wasm';
import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { denyMemberToken } from '@moonbase/client/member-tokens';
import { removeMember } from '@moonbase/client/members';
import { createRepo, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bytesOf, nameOf } from '../../packages/server/test/blobs/bytes.ts';
import { openBrowser } from '../../packages/server/test/browser.ts';
import { type Connection, person, startHub, type TestHub, tokenOf } from '../../packages/server/test/harness.ts';
import {
  addressFor,
  type BatchAnswer,
  downloadUrl,
  idOf,
  LFS,
  put,
} from '../../packages/server/test/large-files-fixture.ts';
import { SECRET_KEY } from '../../packages/server/test/unsubscribe-token.ts';
import { chunksOf } from '../../packages/server/test/xet-chunker.ts';
import { sendXorb, type XetToken, xorbOf } from '../../packages/server/test/xet-client.ts';
import { commitFile, findOutChunks, MINUTE } from '../../packages/server/test/xet-reading-fixture.ts';

/**
 * ada is an admin of acme and bob a writer. acme/secret is private and has the file STORED; SENT is a file that bob
 * uploads. bob, or whoever found them, keeps the URLs and tokens that the hub gave him for large files.
 */
const STORED = bytesOf(100_000);
const SENT = bytesOf(150_000, 's');
const SECRET = { type: 'model', repo: 'acme/secret' } as const;
const FOR_MAIN = { ref: { name: 'refs/heads/main' } };

let hub: TestHub;
const ada = () => ({ ...hub.as('ada'), name: 'acme' });

beforeEach(async () => {
  hub = await startHub({ MOONBASE_XET_READ: 'true', MOONBASE_SECRET_KEY: SECRET_KEY }, { partsFromBytes: 120_000 });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.apply({
    users: ['ada', 'bob', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/secret', private: true });
  await createRepo({ ...hub.as('ada'), repo: 'acme/open' });
});

type Use = () => Promise<Response>;

/** Sends a batch call with headers that say who asks. */
async function batch(headers: Readonly<Record<string, string>>, repo: string, body: object): Promise<BatchAnswer> {
  const answer = await fetch(`${hub.url}/${repo}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { ...headers, 'content-type': LFS, accept: LFS },
    body: JSON.stringify({ hash_algo: 'sha256', ...body }),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as BatchAnswer;
}

const objectOf = (bytes: Uint8Array) => ({ oid: nameOf(bytes).sha256, size: bytes.length });
const bearer = ({ accessToken }: Pick<Connection, 'accessToken'>) => ({ authorization: `Bearer ${accessToken}` });

/** Returns the actions for an upload of SENT. */
async function offered(headers: Readonly<Record<string, string>>, repo: string, more: object, transfer = 'basic') {
  const asked = { operation: 'upload', transfers: [transfer], objects: [objectOf(SENT)], ...more };
  const { objects } = await batch(headers, repo, asked);
  return objects[0]?.actions;
}

async function download(headers: Readonly<Record<string, string>>, repo: string): Promise<Use> {
  const { objects } = await batch(headers, repo, { operation: 'download', objects: [objectOf(STORED)] });
  return () => fetch(objects[0]?.actions?.download?.href ?? '');
}

async function upload(headers: Readonly<Record<string, string>>, repo: string, more: object = FOR_MAIN): Promise<Use> {
  const actions = await offered(headers, repo, more);
  return () => put(actions?.upload?.href ?? '', SENT);
}

async function multipart(by: Connection, repo: string): Promise<{ part: Use; complete: Use }> {
  const actions = await offered(bearer(by), repo, FOR_MAIN, 'multipart');
  const part = () => put(actions?.upload?.header?.['00001'] ?? '', SENT);
  const etag = (await part()).headers.get('etag');
  const body = JSON.stringify({ oid: nameOf(SENT).sha256, parts: [{ partNumber: 1, etag }] });
  const post = { method: 'POST', headers: { 'content-type': LFS }, body };
  return { part, complete: () => fetch(actions?.upload?.href ?? '', post) };
}

async function xetToken(by: Connection, repo: string, kind: 'read' | 'write'): Promise<XetToken> {
  const answer = await fetch(`${hub.url}/api/models/${repo}/xet-${kind}-token/main`, { headers: bearer(by) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as XetToken;
}

const reconstruct = ({ casUrl, accessToken }: XetToken): Promise<Response> =>
  fetch(`${casUrl}/v2/reconstructions/${hashToHex(fileHash(chunksOf(STORED)))}`, { headers: bearer({ accessToken }) });

async function xetRange(by: Connection, repo: string): Promise<Use> {
  const { xorbs } = (await (await reconstruct(await xetToken(by, repo, 'read'))).json()) as {
    xorbs: Record<string, { url: string }[]>;
  };
  const [range] = Object.values(xorbs).flat();
  return () => fetch(range?.url ?? '');
}

/** What the hub gives for large files, by kind; each can be used any number of times. */
const KINDS: readonly [string, (by: Connection) => Promise<Use>][] = [
  ['the URL of a download', (by) => download(bearer(by), 'acme/secret')],
  ['the URL of an upload', (by) => upload(bearer(by), 'acme/secret')],
  ['the URL of a part', async (by) => (await multipart(by, 'acme/secret')).part],
  ['the URL that completes parts', async (by) => (await multipart(by, 'acme/secret')).complete],
  ['the URL of a Xet range', (by) => xetRange(by, 'acme/secret')],
  [
    'the URL that verifies an upload',
    async (by) => {
      const href = (await offered(bearer(by), 'acme/secret', FOR_MAIN))?.verify?.href ?? '';
      const body = JSON.stringify(objectOf(STORED));
      return () => fetch(href, { method: 'POST', headers: { ...bearer(by), 'content-type': LFS }, body });
    },
  ],
  [
    'a Xet token to read',
    async (by) => {
      const token = await xetToken(by, 'acme/secret', 'read');
      return () => reconstruct(token);
    },
  ],
  [
    'a Xet token to write',
    async (by) => {
      const token = await xetToken(by, 'acme/secret', 'write');
      return () => sendXorb(token, xorbOf(chunksOf(SENT)));
    },
  ],
];
/** The URLs that need no credentials. */
const SIGNED = /^the URL (?!that verifies)/;

interface Held extends Connection {
  readonly id: string;
}

const narrow = (id: string) =>
  hub.database.transaction((tx) =>
    tx.updateTable('tokens').set({ role: 'fineGrained', fine_grained: '{"scoped":[]}' }).where('id', '=', id).execute(),
  );

/** What ends the authority of bob or of the token that he used. */
const ENDS: readonly [string, (held: Held) => Promise<unknown>][] = [
  ['the token is deleted', ({ id }) => deleteAccessToken({ ...hub.as('bob'), tokenId: id })],
  ['the token expires', async () => hub.clock.advance(5 * MINUTE)],
  ['the token is narrowed', ({ id }) => narrow(id)],
  ['the organization denies the token', ({ id }) => denyMemberToken({ ...ada(), tokenId: id })],
  ['the user is disabled', () => disableUser({ ...hub.admin, username: 'bob' })],
  ['the user is removed from the organization', () => removeMember({ ...ada(), username: 'bob' })],
  ['the repository is deleted', () => deleteRepo({ ...ada(), repo: 'acme/secret' })],
];

async function tokenOfBob(): Promise<Held> {
  const expiresAt = new Date(hub.clock.now() + 5 * MINUTE).toISOString();
  const { id, token } = await createAccessToken({ ...hub.as('bob'), displayName: 'further', role: 'write', expiresAt });
  return { ...hub.with(token), id };
}

describe.each(KINDS)('%s', (kind, give) => {
  beforeEach(async () => {
    await commitFile(hub, 'ada', 'acme/secret', STORED);
    await findOutChunks(hub);
    hub.clock.advance(MINUTE);
  });

  test.each(ENDS)('is of no use once %s', async (_, end) => {
    const held = await tokenOfBob();
    const use = await give(held);
    expect([200, 206]).toContain((await use()).status);
    await end(held);
    const refused = await use();
    const text = await refused.text();
    expect([401, 403, 404]).toContain(refused.status);
    if (!SIGNED.test(kind)) return;
    expect(text).toMatch(/you no longer have access to it|This URL is not valid for this request, or has expired/);
    for (const name of ['acme', 'secret', 'bob']) expect(text).not.toContain(name);
  });
});

describe('the URL of an upload', () => {
  test('is of no use to a writer who may only read now, unless it is for a pull request', async () => {
    await updateRepoSettings({ ...hub.as('ada'), ...SECRET, settings: { private: false } });
    const [toMain, toPullRequest] = [
      await upload(bearer(hub.as('bob')), 'acme/secret'),
      await upload(bearer(hub.as('bob')), 'acme/secret', {}),
    ];
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] });
    expect((await toMain()).status).toBe(404);
    expect((await toPullRequest()).status).toBe(200);
  });

  test('gives a repository nothing if the token is deleted before all bytes came', async () => {
    const held = await tokenOfBob();
    const { pathname } = new URL((await offered(bearer(held), 'acme/secret', FOR_MAIN))?.upload?.href ?? '');
    const sent = request(hub.url + pathname, { method: 'PUT', headers: { 'content-length': SENT.length } });
    const answered = once(sent, 'response');
    sent.write(SENT.subarray(0, -1));
    // The pause exceeds the time for which an earlier check counts.
    await pause(1_100);
    await deleteAccessToken({ ...hub.as('bob'), tokenId: held.id });
    sent.end(SENT.subarray(-1));
    const [answer] = await answered;
    expect(answer.resume().statusCode).toBe(404);
    expect(await downloadUrl(hub, 'bob', 'acme/secret', nameOf(SENT))).toBe('404');
  });

  test('of the previous release, which names only its user, is good for as long as it was', async () => {
    const of = { repoId: await idOf(hub, 'repositories', 'acme/secret'), userId: await idOf(hub, 'accounts', 'bob') };
    const url = addressFor(hub, { what: 'put', ...of, ...nameOf(SENT), permission: 'discussion.write' });
    expect((await put(url, SENT)).status).toBe(200);
    await removeMember({ ...ada(), username: 'bob' });
    expect((await put(url, SENT)).status).toBe(404);
  });
});

describe('a URL of somebody without a role', () => {
  const NO_CREDENTIALS = {};
  beforeEach(async () => {
    await commitFile(hub, 'ada', 'acme/open', STORED);
    await findOutChunks(hub);
    hub.clock.advance(MINUTE);
  });

  test.each([
    [
      'becomes private',
      () => updateRepoSettings({ ...ada(), type: 'model', repo: 'acme/open', settings: { private: true } }),
    ],
    ['is deleted', () => deleteRepo({ ...ada(), repo: 'acme/open' })],
  ])('ends when the repository %s', async (_, end) => {
    const uses = [
      await download(bearer(hub.as('zoe')), 'acme/open'),
      await upload(bearer(hub.as('zoe')), 'acme/open', {}),
      await xetRange(hub.as('zoe'), 'acme/open'),
      await download(NO_CREDENTIALS, 'acme/open'),
    ];
    const statuses = async () => Promise.all(uses.map(async (use) => (await use()).status));
    expect(await statuses()).toEqual([200, 200, 206, 200]);
    await end();
    expect(await statuses()).toEqual([404, 404, 404, 404]);
  });

  test('is refused like one that the hub never gave, whatever it names', async () => {
    const use = await download(NO_CREDENTIALS, 'acme/open');
    await deleteRepo({ ...ada(), repo: 'acme/open' });
    const nothing = addressFor(hub, { what: 'get', repoId: '0'.repeat(24), ...nameOf(STORED) });
    const [gone, never] = [await use(), await fetch(nothing)];
    expect([gone.status, await gone.text()]).toEqual([never.status, await never.text()]);
  });
});

test('a URL of a browser session ends when the browser signs out', async () => {
  await commitFile(hub, 'ada', 'acme/secret', STORED);
  const browser = openBrowser(hub);
  expect((await browser.ask('POST /api/sign-in/token', { token: tokenOf('bob') })).status).toBe(200);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const use = await download({ cookie, origin: hub.url }, 'acme/secret');
  expect((await use()).status).toBe(200);
  expect((await browser.ask('POST /api/sign-out', {})).status).toBe(200);
  expect((await use()).status).toBe(404);
  expect((await fetch(await downloadUrl(hub, 'bob', 'acme/secret', nameOf(STORED)))).status).toBe(200);
});

test('a URL lasts no longer than the token with which it was requested', async () => {
  const held = await tokenOfBob();
  const actions = await offered(bearer(held), 'acme/secret', FOR_MAIN);
  expect(actions?.upload?.expires_in).toBe(300);
  expect((await offered(bearer(hub.as('bob')), 'acme/secret', FOR_MAIN))?.upload?.expires_in).toBe(24 * 60 * 60);
});
