import { fileHash, hashToHex } from '@huggingface/xetchunk-wasm';
import { duplicateRepo, getPathsInfo, listTree } from '@moonbase/client/content';
import { deleteLargeFile, duplicateLargeFiles } from '@moonbase/client/large-files';
import { deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { beforeEach, describe, expect, test } from 'vitest';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { collect, type TestHub, tokenOf } from './harness.ts';
import { idOf } from './large-files-fixture.ts';
import { chunksOf } from './xet-chunker.ts';
import { askToken, type XetToken } from './xet-client.ts';
import { commitFile, findOutChunks, MINUTE, startReading } from './xet-reading-fixture.ts';

const CONTENT = Buffer.concat([bytesOf(900_000), Buffer.alloc(300_000), Buffer.from('weights, '.repeat(40_000))]);
const FILE = nameOf(CONTENT);
const HASH = hashToHex(fileHash(chunksOf(CONTENT)));

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Reconstruction {
  readonly offset_into_first_range: number;
  readonly terms: readonly { readonly hash: string; readonly unpacked_length: number; readonly range: Range }[];
  readonly xorbs: Readonly<Record<string, { url: string; ranges: { chunks: Range; bytes: Range }[] }[]>>;
  readonly fetch_info: Readonly<Record<string, { range: Range; url: string; url_range: Range }[]>>;
}

interface ResolveOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const resolve = (
  hub: TestHub,
  user: string,
  repo: string,
  { method = 'GET', headers = {} }: ResolveOptions = {},
): Promise<Response> =>
  fetch(`${hub.url}/${repo}/resolve/main/model.bin`, {
    method,
    headers: { ...headers, authorization: `Bearer ${tokenOf(user)}` },
  });

async function readToken(hub: TestHub, user: string, repo: string): Promise<XetToken> {
  const answer = await askToken(hub, user, `models/${repo}/xet-read-token/main`);
  if (answer.status !== 200) throw new Error(`No token: ${answer.status}`);
  return (await answer.json()) as XetToken;
}

const ask = ({ casUrl, accessToken }: XetToken, hash: string, { version = 2, range = '' } = {}): Promise<Response> =>
  fetch(`${casUrl}/v${version}/reconstructions/${hash}`, {
    headers: { authorization: `Bearer ${accessToken}`, ...(range && { range }) },
  });

const reconstruction = async (...given: Parameters<typeof ask>): Promise<Reconstruction> =>
  (await (await ask(...given)).json()) as Reconstruction;

const fetchRange = (url: string, { start, end }: Range): Promise<Response> =>
  fetch(url, { headers: { range: `bytes=${start}-${end}` } });

/** Returns the chunks of some bytes of a xorb, without their headers. */
function chunksIn(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUIntLE(at + 1, 3);
    expect([bytes[at], bytes[at + 4], bytes.readUIntLE(at + 5, 3)]).toEqual([0, 0, length]);
    chunks.push(bytes.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return chunks;
}

/** Downloads what a reconstruction says, as clients do. */
async function assembled({ offset_into_first_range, terms, xorbs }: Reconstruction): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { hash, range, unpacked_length } of terms) {
    const [fetched] = xorbs[hash] ?? [];
    const [only] = fetched?.ranges ?? [];
    if (!fetched || !only) throw new Error(`Nothing tells where the xorb ${hash} is`);
    const answer = await fetchRange(fetched.url, only.bytes);
    expect(answer.status).toBe(206);
    const chunks = chunksIn(Buffer.from(await answer.arrayBuffer()));
    expect(chunks.length).toBe(only.chunks.end - only.chunks.start);
    const term = Buffer.concat(chunks.slice(range.start - only.chunks.start, range.end - only.chunks.start));
    expect(term.length).toBe(unpacked_length);
    parts.push(term);
  }
  return Buffer.concat(parts).subarray(offset_into_first_range);
}

describe('a file that came by git LFS', () => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await startReading();
    await commitFile(hub, 'alice', 'alice/secret', CONTENT);
    await findOutChunks(hub);
  });

  test('has a Xet hash that clients see with its bytes, in lists and in what they ask for instead', async () => {
    const head = await resolve(hub, 'alice', 'alice/secret', { method: 'HEAD' });
    const commit = head.headers.get('x-repo-commit');
    const token = await readToken(hub, 'alice', 'alice/secret');
    const refreshUrl = `${hub.url}/api/models/alice/secret/xet-read-token/${commit}`;
    const reconstructionUrl = `${token.casUrl}/v1/reconstructions/${HASH}`;
    expect(head.headers.get('x-xet-hash')).toBe(HASH);
    expect(head.headers.get('link')).toBe(
      `<${refreshUrl}>; rel="xet-auth", <${reconstructionUrl}>; rel="xet-reconstruction-info"`,
    );
    expect(head.headers.get('content-length')).toBe(String(FILE.size));
    const accept = 'application/vnd.xet-fileinfo+json, */*';
    const info = await resolve(hub, 'alice', 'alice/secret', { headers: { accept, range: 'bytes=0-0' } });
    expect(info.status).toBe(200);
    expect(info.headers.get('content-type')).toMatch(/^application\/vnd\.xet-fileinfo\+json/);
    expect([info.headers.get('x-xet-hash'), info.headers.get('x-linked-size')]).toEqual([HASH, String(FILE.size)]);
    expect(await info.json()).toEqual({
      ...{ hash: HASH, refreshUrl, reconstructionUrl, etag: `"${FILE.sha256}"`, size: FILE.size },
    });
    const plain = await resolve(hub, 'alice', 'alice/secret');
    expect(Buffer.from(await plain.arrayBuffer()).equals(CONTENT)).toBe(true);

    const at = { ...hub.as('alice'), type: 'model' as const, repo: 'alice/secret', revision: 'main' };
    const hashes = [...(await collect(listTree(at))), ...(await getPathsInfo({ ...at, paths: ['model.bin'] }))]
      .filter(({ path }) => path === 'model.bin')
      .map(({ xetHash }) => xetHash);
    expect(hashes).toEqual([HASH, HASH]);
  });

  test('is assembled from its chunks, whole or in part', async () => {
    const token = await readToken(hub, 'alice', 'alice/secret');
    expect((await assembled(await reconstruction(token, HASH))).equals(CONTENT)).toBe(true);
    for (const [first, last] of [
      [0, 0],
      [1, 70_000],
      [899_999, 1_300_000],
      [FILE.size - 1, FILE.size - 1],
      [5, FILE.size + 1_000_000],
    ] as const) {
      const found = await assembled(await reconstruction(token, HASH, { range: `bytes=${first}-${last}` }));
      expect(found.subarray(0, last - first + 1).equals(CONTENT.subarray(first, last + 1))).toBe(true);
    }
    const beyond = await ask(token, HASH, { range: `bytes=${FILE.size}-${FILE.size + 9}` });
    expect(beyond.status).toBe(416);
  });

  test('is described alike by version 1', async () => {
    const token = await readToken(hub, 'alice', 'alice/secret');
    const first = await reconstruction(token, HASH, { version: 1, range: 'bytes=100000-200000' });
    const second = await reconstruction(token, HASH, { range: 'bytes=100000-200000' });
    expect([first.terms, first.offset_into_first_range]).toEqual([second.terms, second.offset_into_first_range]);
    const ranges = Object.values(second.xorbs).flatMap((fetches) => fetches.flatMap((each) => each.ranges));
    const infos = Object.values(first.fetch_info).flat();
    expect(infos.map(({ range, url_range }) => ({ chunks: range, bytes: url_range }))).toEqual(ranges);
    expect((await fetchRange(infos[0]?.url ?? '', infos[0]?.url_range ?? { start: 0, end: 0 })).status).toBe(206);
  });

  test('a URL serves any part of the chunks that it is for, and no others', async () => {
    const token = await readToken(hub, 'alice', 'alice/secret');
    const { xorbs } = await reconstruction(token, HASH, { range: 'bytes=100000-400000' });
    const { url, ranges } = Object.values(xorbs)[0]?.[0] ?? { url: '', ranges: [] };
    const { start, end } = ranges[0]?.bytes ?? { start: 0, end: 0 };
    const all = Buffer.from(await (await fetchRange(url, { start, end })).arrayBuffer());
    const part = await fetchRange(url, { start: start + 7, end: start + 70_001 });
    expect(part.headers.get('content-range')).toMatch(`bytes ${start + 7}-${start + 70_001}/`);
    expect(Buffer.from(await part.arrayBuffer()).equals(all.subarray(7, 70_002))).toBe(true);
    for (const other of [
      { start: start - 1, end },
      { start, end: end + 1 },
      { start: 0, end: 10 },
      { start: 10 ** 9, end: 10 ** 9 + 1 },
    ])
      expect((await fetchRange(url, other)).status).toBe(416);
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(all)).toBe(true);
  });

  test('copies have the same hash', async () => {
    const copy = {
      target: { type: 'model' as const, name: 'alice/open' },
      files: [{ sha256: FILE.sha256, xetHash: HASH }],
    };
    const answer = await duplicateLargeFiles({ ...hub.as('alice'), type: 'model', repo: 'alice/secret', ...copy });
    expect(answer).toMatchObject({ success: true, succeeded: 1 });
    await duplicateRepo({ ...hub.as('alice'), type: 'model', repo: 'alice/secret', to: 'alice/copy' });
    hub.clock.advance(MINUTE);
    for (const repo of ['alice/open', 'alice/copy']) {
      const token = await readToken(hub, 'alice', repo);
      expect((await assembled(await reconstruction(token, HASH))).equals(CONTENT)).toBe(true);
    }
  });
});

describe('who may not read a file', () => {
  let hub: TestHub;
  let token: XetToken;
  let url: string;
  beforeEach(async () => {
    hub = await startReading();
    await commitFile(hub, 'alice', 'alice/secret', CONTENT);
    await commitFile(hub, 'bob', 'bob/open', bytesOf(200_000, 'other'));
    await findOutChunks(hub);
    token = await readToken(hub, 'alice', 'alice/secret');
    const { xorbs } = await reconstruction(token, HASH);
    url = Object.values(xorbs)[0]?.[0]?.url ?? '';
    expect((await fetch(url)).status).toBe(206);
  });

  const refused = async (answer: Response, status: number) => {
    const text = await answer.text();
    expect([answer.status, text.includes(FILE.sha256), text.includes('xet-ranges')]).toEqual([status, false, false]);
    return text;
  };

  test('does not see it by a token of another repository, whoever owns that', async () => {
    const own = await readToken(hub, 'alice', 'alice/open');
    const bobs = await readToken(hub, 'bob', 'bob/open');
    const unknown = await refused(await ask(own, 'a'.repeat(64)), 404);
    expect(await refused(await ask(own, HASH), 404)).toBe(unknown);
    expect(await refused(await ask(bobs, HASH), 404)).toBe(unknown);
    await refused(await ask({ ...bobs, casUrl: token.casUrl }, HASH), 401);
    await refused(await ask({ ...token, casUrl: bobs.casUrl }, HASH), 401);
  });

  test('does not see it by a forged token, or by an access token', async () => {
    const { accessToken } = token;
    for (const forged of [`${accessToken}x`, accessToken.replace('.', 'A.'), tokenOf('alice'), ''])
      await refused(await ask({ ...token, accessToken: forged }, HASH), 401);
  });

  test('gets nothing by an expired token or URL', async () => {
    hub.clock.advance(15 * MINUTE);
    await refused(await fetch(url), 403);
    expect((await ask(token, HASH)).status).toBe(200);
    hub.clock.advance(45 * MINUTE);
    await refused(await ask(token, HASH), 401);
  });

  test('gets nothing by an altered URL', async () => {
    const [address = ''] = url.split('/').slice(-1);
    const [text = '', signature = ''] = address.split('.');
    const signed = JSON.parse(Buffer.from(text.slice('range_'.length), 'base64url').toString()) as object;
    const other = Buffer.from(JSON.stringify({ ...signed, until: 10 ** 15 })).toString('base64url');
    const tokenText = token.accessToken.split('.')[0] ?? '';
    for (const altered of [
      `${text}.${signature.slice(1)}A`,
      `${text}x.${signature}`,
      `${text}.${signature}.${signature}`,
      `range_${other}.${signature}`,
      `${tokenText}.${token.accessToken.split('.')[1]}`,
      text,
      'range_.',
    ])
      await refused(await fetch(url.replace(address, altered)), 403);
  });

  test.each<[string, (hub: TestHub) => Promise<unknown>, number, number]>([
    [
      'the file is deleted',
      (at) => deleteLargeFile({ ...at.as('alice'), type: 'model', repo: 'alice/secret', sha: FILE.sha256 }),
      404,
      404,
    ],
    ['the repository is deleted', (at) => deleteRepo({ ...at.as('alice'), repo: 'alice/secret' }), 401, 404],
    ['the user is disabled', (at) => disableUser({ ...at.admin, username: 'alice' }), 401, 404],
    [
      'the file is damaged',
      (at) =>
        at.database.transaction((tx) =>
          tx.updateTable('blobs').set({ state: 'damaged' }).where('sha256', '=', FILE.sha256).execute(),
        ),
      404,
      404,
    ],
  ])('gets nothing once %s', async (_what, change, status, urlStatus) => {
    await change(hub);
    await refused(await ask(token, HASH), status);
    await refused(await fetch(url), urlStatus);
  });

  test('gets nothing once a public repository is private', async () => {
    await commitFile(hub, 'alice', 'alice/open', CONTENT);
    hub.clock.advance(MINUTE);
    const bobs = await readToken(hub, 'bob', 'alice/open');
    const { xorbs } = await reconstruction(bobs, HASH);
    const bobsUrl = Object.values(xorbs)[0]?.[0]?.url ?? '';
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/open', settings: { private: true } });
    await refused(await ask(bobs, HASH), 404);
    await refused(await fetch(bobsUrl), 404);
  });
});

test('nobody notices by the hash that another repository had the file before', async () => {
  const hub = await startReading();
  await commitFile(hub, 'alice', 'alice/secret', CONTENT);
  await findOutChunks(hub);
  await commitFile(hub, 'bob', 'bob/open', CONTENT);
  const token = await readToken(hub, 'bob', 'bob/open');
  const seen = async () => [
    (await resolve(hub, 'bob', 'bob/open', { method: 'HEAD' })).headers.get('x-xet-hash'),
    (await ask(token, HASH)).status,
  ];
  expect(await seen()).toEqual([null, 404]);
  hub.clock.advance(MINUTE);
  expect(await seen()).toEqual([HASH, 200]);
});

test('without the setting nothing tells of Xet, and nothing is read through it', async () => {
  const hub = await startReading({});
  await commitFile(hub, 'alice', 'alice/open', CONTENT);
  await findOutChunks(hub);
  const head = await resolve(hub, 'alice', 'alice/open', { method: 'HEAD' });
  expect([head.headers.get('x-xet-hash'), head.headers.get('link')]).toEqual([null, null]);
  const [, listed] = await collect(
    listTree({ ...hub.as('alice'), type: 'model', repo: 'alice/open', revision: 'main' }),
  );
  expect(listed).not.toHaveProperty('xetHash');
  expect((await ask(await readToken(hub, 'alice', 'alice/open'), HASH)).status).toBe(404);
  expect(await hub.database.read.selectFrom('xet_files').selectAll().execute()).toEqual([]);
});

test('a file that cannot be read stops no other one, and is tried again after a day', async () => {
  const hub = await startReading();
  await commitFile(hub, 'alice', 'alice/open', CONTENT);
  const lost = { sha256: '0'.repeat(64), size: 10 };
  const repo_id = await idOf(hub, 'repositories', 'alice/secret');
  await hub.database.transaction(async (tx) => {
    const stored = { state: 'stored' as const, unused_since: null, checked_at: 0, held_until: null };
    await tx
      .insertInto('blobs')
      .values({ ...lost, ...stored })
      .execute();
    const grant = { repo_id, pusher_id: null, pushed_at: 0, filename: null, ref: null };
    await tx
      .insertInto('repo_files')
      .values({ ...lost, ...grant })
      .execute();
  });
  await hub.drain();
  const rows = async () => await hub.database.read.selectFrom('xet_files').selectAll().orderBy('sha256').execute();
  const [failed, done] = await rows();
  expect([failed?.hash, done?.hash]).toEqual([null, HASH]);
  hub.clock.advance(23 * 60 * MINUTE);
  await hub.drain();
  expect((await rows())[0]?.retry_at).toBe(failed?.retry_at);
  hub.clock.advance(2 * 60 * MINUTE);
  await hub.drain();
  expect((await rows())[0]?.retry_at).toBeGreaterThan(failed?.retry_at ?? 0);
});

test('the list of the chunks is kept as long as the file, and then no longer', async () => {
  const hub = await startReading();
  await commitFile(hub, 'alice', 'alice/open', CONTENT);
  await findOutChunks(hub);
  const held = async () =>
    (
      await hub.database.read
        .selectFrom('xet_files')
        .innerJoin('blobs', 'blobs.sha256', 'xet_files.chunks_sha256')
        .select('held_until')
        .execute()
    ).map(({ held_until }) => Number(held_until));
  const [first = 0] = await held();
  hub.clock.advance(20 * 24 * 60 * MINUTE);
  await hub.drain();
  expect(await held()).toEqual([first + 20 * 24 * 60 * MINUTE]);
  await deleteLargeFile({ ...hub.as('alice'), type: 'model', repo: 'alice/open', sha: FILE.sha256 });
  await hub.database.transaction((tx) => tx.deleteFrom('blobs').where('sha256', '=', FILE.sha256).execute());
  expect(await held()).toEqual([]);
  expect(await hub.database.read.selectFrom('xet_file_xorbs').selectAll().execute()).toEqual([]);
});
