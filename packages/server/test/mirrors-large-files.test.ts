import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import { lfsBatch, listLargeFiles } from '@moonbase/client/large-files';
import { describe, expect, test } from 'vitest';
import { bareRemote } from './bare-remote.ts';
import { eavesdrop } from './eavesdrop.ts';
import { type Connection, collect, tokenOf } from './harness.ts';
import { MIRROR, mirrorHubs, mirroringHub, ORIGIN } from './mirror-hubs.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const bytesOf = (seed: string, length = 5_000) => Buffer.alloc(length, seed);

/** Uploads large files and commits their pointers. */
async function commitLarge(who: Connection, repo: typeof ORIGIN, files: Readonly<Record<string, Buffer>>) {
  const objects = Object.values(files).map((bytes) => ({ oid: sha256Of(bytes), size: bytes.length }));
  const answer = await lfsBatch({ ...who, repo: repo.repo, operation: 'upload', objects });
  for (const { oid, actions } of answer.objects) {
    const bytes = Object.values(files).find((each) => sha256Of(each) === oid);
    if (actions?.upload && bytes) await fetch(actions.upload.href, { method: 'PUT', body: new Uint8Array(bytes) });
  }
  const lines = [
    { key: 'header', value: { summary: 'Large files', description: '' } },
    ...Object.entries(files).map(([path, bytes]) => ({
      key: 'lfsFile',
      value: { path, algo: 'sha256', oid: sha256Of(bytes), size: bytes.length },
    })),
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')], { type: 'application/x-ndjson' });
  return (await createCommit({ ...who, ...repo, branch: 'main', operations })).commitOid;
}

const download = (hubUrl: string, path: string) =>
  fetch(`${hubUrl}/${MIRROR.repo}/resolve/main/${path}`, { headers: { authorization: `Bearer ${tokenOf('alice')}` } });

describe('the large files of a mirror', () => {
  test('come with the commits that refer to them, byte for byte, and once', async () => {
    await using at = await mirrorHubs();
    const files = Object.fromEntries('abcdefgh'.split('').map((name) => [`${name}.bin`, bytesOf(name)]));
    const head = await commitLarge(at.ada, ORIGIN, files);
    await using listener = await eavesdrop(at.hub, at.alice, { type: 'user', name: 'alice' });
    expect(await at.begin()).toMatchObject({ state: 'synced' });
    expect((await at.refs())['refs/heads/main']).toBe(head);
    expect(await listener.events()).toEqual(['repo.content/update']);
    for (const [path, bytes] of Object.entries(files))
      expect(Buffer.from(await (await download(at.hub.url, path)).arrayBuffer()).equals(bytes)).toBe(true);
    const listed = await collect(listLargeFiles({ ...at.alice, ...MIRROR }));
    expect(listed).toHaveLength(8);
    expect(listed).toContainEqual(
      expect.objectContaining({ filename: 'a.bin', ref: 'refs/heads/main', pusher: { type: 'user', name: 'alice' } }),
    );
    await commitLarge(at.ada, ORIGIN, { 'again.bin': files['a.bin'] ?? Buffer.alloc(0) });
    expect(await at.sync()).toMatchObject({ state: 'synced' });
    expect(await collect(listLargeFiles({ ...at.alice, ...MIRROR }))).toHaveLength(8);
  });

  test('count against the quota of the owner, and nothing moves above it', async () => {
    await using at = await mirrorHubs({ MOONBASE_QUOTA_USER_GIB: '0' });
    await commitLarge(at.ada, ORIGIN, { 'a.bin': bytesOf('a') });
    const before = await at.refs();
    expect(await at.begin()).toMatchObject({
      state: 'failing',
      lastError: expect.stringMatching(/^alice may have 0 GiB/),
    });
    expect(await at.refs()).toEqual(before);
    expect(await collect(listLargeFiles({ ...at.alice, ...MIRROR }))).toEqual([]);
  });

  test('are not brought for somebody who only knows their names', async () => {
    await using at = await mirrorHubs();
    const secret = bytesOf('a secret of bob');
    const object = { oid: sha256Of(secret), size: secret.length };
    // The remote has a pointer to what bob keeps in private here, but not the bytes.
    await commitLarge(at.ada, ORIGIN, { 'a.bin': bytesOf('a') });
    await using remote = await lfsRemote(object);
    await at.follow(remote.url);
    await at.hub.drain();
    expect(await at.state()).toMatchObject({
      state: 'failing',
      lastError: 'The remote does not have the large file w.bin: Gone (404)',
    });
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface LfsRemote extends AsyncDisposable {
  readonly url: string;
  /** The requests to the batch call and to the files, with their authorization. */
  readonly asked: {
    readonly url: string;
    readonly authorization: string | undefined;
    readonly extra: string | undefined;
  }[];
}

const GONE = { error: { code: 404, message: 'Gone' } };

/** Serves a repository with one pointer; `offer` is what its batch call says about the file. */
async function lfsRemote(
  { oid, size }: { readonly oid: string; readonly size: number },
  { offer = () => GONE, file }: { offer?: (base: string) => object; file?: Answer } = {},
): Promise<LfsRemote> {
  const asked: { url: string; authorization: string | undefined; extra: string | undefined }[] = [];
  const remote = await bareRemote({
    answer(request, response) {
      const { authorization } = request.headers;
      const isBatch = request.url?.endsWith('/info/lfs/objects/batch') ?? false;
      if (!isBatch && !request.url?.startsWith('/files/')) return false;
      asked.push({ url: request.url ?? '', authorization, extra: String(request.headers['x-extra']) });
      if (!isBatch) file?.(request, response);
      else {
        response.writeHead(200, { 'content-type': 'application/vnd.git-lfs+json' });
        response.end(JSON.stringify({ transfer: 'basic', objects: [{ oid, size, ...offer(remote.url) }] }));
      }
      return true;
    },
  });
  const url = await remote.create('letters');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
  await writeFile(join(remote.client.folder, 'letters-clone', 'w.bin'), pointer);
  await remote.git('letters-clone', 'add', '--all');
  await remote.git('letters-clone', 'commit', '--quiet', '--message', 'Add w.bin');
  await remote.git('letters-clone', 'push', '--quiet', 'origin', 'HEAD');
  return { url, asked, [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose]() };
}

/** Serves answers at another origin; counts the requests. */
async function otherOrigin(answer: Answer) {
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const BYTES = bytesOf('w');
const OBJECT = { oid: sha256Of(BYTES), size: BYTES.length };
const send =
  (bytes: Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, headers).end(bytes);
  };
const offerAt =
  (path: string, more: object = {}) =>
  (base: string) => ({ actions: { download: { href: path.startsWith('http') ? path : base + path, ...more } } });

describe('a remote with a large file', () => {
  test('gets the token for its own addresses, and no other server gets it', async () => {
    await using at = await mirroringHub();
    await using other = await otherOrigin(send(BYTES));
    await using own = await lfsRemote(OBJECT, { offer: offerAt('/files/w'), file: send(BYTES) });
    await at.follow(own.url, { token: 'a token', username: 'ada' });
    await at.hub.drain();
    expect(await at.state()).toMatchObject({ state: 'synced' });
    const authorization = `Basic ${Buffer.from('ada:a token').toString('base64')}`;
    expect(own.asked).toEqual([
      { url: '/letters.git/info/lfs/objects/batch', authorization, extra: 'undefined' },
      { url: '/files/w', authorization, extra: 'undefined' },
    ]);

    await using elsewhere = await mirroringHub();
    const header = {
      'X-Extra': 'signed',
      Authorization: 'Bearer of the file',
      Host: 'internal',
      'Content-Length': '9',
    };
    const offer = offerAt('/files/w', { header });
    const file: Answer = (_, response) => void response.writeHead(302, { location: `${other.url}/w` }).end();
    await using redirecting = await lfsRemote(OBJECT, { offer, file });
    await elsewhere.follow(redirecting.url, { token: 'a token' });
    await elsewhere.hub.drain();
    expect(await elsewhere.state()).toMatchObject({ state: 'synced' });
    expect(redirecting.asked[1]).toEqual({ url: '/files/w', authorization: 'Bearer of the file', extra: 'signed' });
    expect(other.headers).toHaveLength(1);
    expect(other.headers[0]).not.toHaveProperty('authorization');
    expect(other.headers[0]).not.toHaveProperty('x-extra');
  });

  test.each<[string, { offer?: (base: string) => object; file?: Answer }, RegExp]>([
    ['sends other bytes', { file: send(bytesOf('x')) }, /sent something else for the large file w\.bin: .*SHA-256/],
    [
      'sends too few bytes',
      { file: chunked(BYTES.subarray(1)) },
      /something else .*5000 bytes were announced, but 4999/,
    ],
    ['sends too many bytes', { file: chunked(bytesOf('w', 900_000)) }, /something else .*more than 5000 arrived/],
    [
      'announces another size',
      { file: send(bytesOf('w', 7), { 'content-length': '7' }) },
      /sends 7 bytes for w\.bin, whose pointer says 5000/,
    ],
    ['breaks off', { file: breakOff }, /closed before/],
    ['compresses', { file: send(BYTES, { 'content-encoding': 'gzip' }) }, /compresses its answer \(gzip\)/],
    ['refuses the file', { file: (_, response) => void response.writeHead(403).end() }, /refuses access \(403\)/],
    [
      'redirects without end',
      { file: (_, response) => void response.writeHead(302, { location: '/files/w' }).end() },
      /redirects too often/,
    ],
    [
      'redirects to a private address',
      { file: (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end() },
      /Plain http is only for addresses that the operator/,
    ],
    ['offers a private address', { offer: offerAt('https://10.0.0.1/w') }, /Address not allowed: 10\.0\.0\.1/],
    ['offers no web address', { offer: offerAt('http://a:b@127.0.0.1/w') }, /at something that is no web address/],
    [
      'offers a file',
      { offer: () => ({ actions: { download: { href: 'file:///etc/passwd' } } }) },
      /at something that is no web address/,
    ],
    ['offers nothing', { offer: () => ({}) }, /does not have the large file w\.bin$/],
    ['offers nonsense', { offer: () => ({ actions: 7 }) }, /in the form of git-lfs/],
  ])(
    'that %s is refused with a sentence, and nothing moves',
    async (_, { offer = offerAt('/files/w'), file }, message) => {
      await using at = await mirroringHub();
      await using remote = await lfsRemote(OBJECT, { offer, ...(file && { file }) });
      const before = await at.refs();
      await at.follow(remote.url);
      await at.hub.drain();
      expect(await at.state()).toMatchObject({ state: 'failing', lastError: expect.stringMatching(message) });
      expect(await at.refs()).toEqual(before);
      expect(await collect(listLargeFiles({ ...at.alice, ...MIRROR }))).toEqual([]);
    },
  );
});

function breakOff(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200);
  response.write('x', () => response.destroy());
}

function chunked(bytes: Uint8Array): Answer {
  return (_, response) => {
    response.writeHead(200);
    response.write(bytes);
    response.end();
  };
}
