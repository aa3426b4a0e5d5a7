import { fileHash, hashToHex, hmac, MerkleHashSubtree } from '@huggingface/xetchunk-wasm';
import { lfsBatch } from '@moonbase/client/large-files';
import { updateRepoSettings } from '@moonbase/client/repositories';
import { beforeEach, describe, expect, test } from 'vitest';
import { bytesOf } from './blobs/bytes.ts';
import type { TestHub } from './harness.ts';
import { chunksOf, type TestChunk } from './xet-chunker.ts';
import { askToken, writeToken, type XetToken, xorbOf } from './xet-client.ts';
import { commitFile, findOutChunks, startReading } from './xet-reading-fixture.ts';

const CONTENT = bytesOf(3_000_000, 'a file that changes');
const CHUNKS = chunksOf(CONTENT);
const HASH = hashToHex(fileHash(CHUNKS));
const OTHER = bytesOf(400_000, 'another file');
const OTHER_HASH = hashToHex(fileHash(chunksOf(OTHER)));

interface Described {
  readonly files: Readonly<Record<string, unknown>>;
  readonly fetch_info: Readonly<Record<string, { url: string; url_range: { start: number; end: number } }[]>>;
}

interface Changes {
  readonly totalChunks: number;
  readonly fileSize: number;
  readonly windows: readonly { readonly dirtyByteRange: readonly [number, number] }[];
  readonly hashRanges: readonly (Parameters<typeof MerkleHashSubtree.fromJSON>[0] | null)[];
  readonly gapVerification: readonly string[];
}

const get = ({ casUrl, accessToken }: XetToken, path: string, headers = {}): Promise<Response> =>
  fetch(casUrl + path, { headers: { authorization: `Bearer ${accessToken}`, ...headers } });

async function readToken(hub: TestHub, user: string, repo: string): Promise<XetToken> {
  const answer = await askToken(hub, user, `models/${repo}/xet-read-token/main`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as XetToken;
}

let hub: TestHub;
let token: XetToken;
beforeEach(async () => {
  hub = await startReading();
  await commitFile(hub, 'alice', 'alice/secret', CONTENT);
  await commitFile(hub, 'alice', 'alice/open', OTHER);
  await findOutChunks(hub);
  token = await readToken(hub, 'alice', 'alice/secret');
});

const batch = (...hashes: readonly string[]) =>
  `/v1/reconstructions?${hashes.map((hash) => `file_id=${hash}`).join('&')}`;
const changes = (by: XetToken, range: string | undefined, hash = HASH) =>
  get(by, `/v2/file-chunk-hashes/${hash}`, range === undefined ? {} : { 'x-range-dirty': range });

describe('reconstructions of several files', () => {
  test('say of each what those of one file say', async () => {
    await commitFile(hub, 'alice', 'alice/secret', OTHER);
    await findOutChunks(hub);
    const { files, fetch_info } = (await (await get(token, batch(HASH, OTHER_HASH, HASH))).json()) as Described;
    expect(Object.keys(files).sort()).toEqual([HASH, OTHER_HASH].sort());
    for (const hash of [HASH, OTHER_HASH]) {
      const one = (await (await get(token, `/v1/reconstructions/${hash}`)).json()) as { terms: unknown };
      expect(files[hash]).toEqual(one.terms);
    }
    const [first] = fetch_info[xorbOf(CHUNKS).hash] ?? [];
    const { start, end } = first?.url_range ?? { start: 0, end: 0 };
    const sent = await fetch(first?.url ?? '', { headers: { range: `bytes=${start}-${end}` } });
    expect(Buffer.from(await sent.arrayBuffer()).equals(xorbOf(CHUNKS).bytes)).toBe(true);
  });

  test('are refused if the repository lacks one of the files, whoever has it', async () => {
    const texts = [];
    for (const hash of [OTHER_HASH, 'a'.repeat(64)]) {
      const answer = await get(token, batch(HASH, hash));
      texts.push([answer.status, await answer.text()]);
    }
    expect(texts[0]?.[0]).toBe(404);
    expect(texts[1]).toEqual(texts[0]);
  });

  test.each([
    ['no hash', '/v1/reconstructions'],
    ['no hash after the name', '/v1/reconstructions?file_id='],
    ['what is no hash', batch(HASH, 'x')],
    ['too many', batch(...Array.from({ length: 201 }, (_, at) => at.toString(16).padStart(64, '0')))],
  ])('with %s are refused', async (_what, path) => {
    expect((await get(token, path)).status).toBe(400);
  });
});

describe('the URL of chunks', () => {
  test('serves several ranges in one response', async () => {
    const { fetch_info } = (await (await get(token, batch(HASH))).json()) as Described;
    const [url = ''] = Object.values(fetch_info).flatMap((infos) => infos.map((info) => info.url));
    const stored = xorbOf(CHUNKS).bytes;
    const sent = await fetch(url, { headers: { range: 'bytes=0-70000,70001-70001,200000-900000' } });
    expect(sent.status).toBe(206);
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=(\S+)$/.exec(sent.headers.get('content-type') ?? '') ?? [];
    const body = Buffer.from(await sent.arrayBuffer());
    expect(sent.headers.get('content-length')).toBe(String(body.length));
    const parts = [
      [0, 70_000],
      [70_001, 70_001],
      [200_000, 900_000],
    ].map(([first = 0, last = 0]) =>
      Buffer.concat([
        Buffer.from(`--${boundary}\r\ncontent-type: application/octet-stream\r\n`),
        Buffer.from(`content-range: bytes ${first}-${last}/${stored.length}\r\n\r\n`),
        ...[stored.subarray(first, last + 1), Buffer.from('\r\n')],
      ]),
    );
    expect(body.equals(Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]))).toBe(true);
  });

  test('serves no ranges of which one is beyond its own', async () => {
    const part = await get(token, `/v1/reconstructions/${HASH}`, { range: 'bytes=0-99' });
    const { fetch_info } = (await part.json()) as Described;
    const [info] = Object.values(fetch_info).flat();
    const last = info?.url_range.end ?? 0;
    const ask = async (range: string) =>
      (await fetch(info?.url ?? '', { headers: { range: `bytes=${range}` } })).status;
    expect(await ask(`0-1,3-${last}`)).toBe(206);
    expect(await ask(`0-1,3-${last + 1}`)).toBe(416);
    expect(await ask(`0-1,${last + 1}-${last + 9}`)).toBe(416);
    expect(await ask('0-1,999999999-999999999')).toBe(416);
  });
});

describe('a client that changes parts of a file', () => {
  const aggregate = (chunks: readonly TestChunk[], atStart: boolean, atEnd: boolean) =>
    MerkleHashSubtree.fromChunks(atStart, [...chunks], atEnd);

  test.each([
    ['the begin', 0, 9],
    ['the middle', 1_500_000, 1_600_000],
    ['the end', CONTENT.length - 1, CONTENT.length - 1],
    ['everything', 0, CONTENT.length - 1],
  ])('computes the hash of the new file without the rest, when it changes %s', async (_what, first, last) => {
    const by = await writeToken(hub, 'alice', 'alice/secret');
    const answer = await changes(by, `bytes=${first}-${last}`);
    expect(answer.status).toBe(200);
    const { windows, hashRanges, totalChunks, fileSize, gapVerification } = (await answer.json()) as Changes;
    expect([totalChunks, fileSize]).toEqual([CHUNKS.length, CONTENT.length]);
    const [[start, end] = [0, 0]] = windows.map(({ dirtyByteRange }) => dirtyByteRange);
    expect([windows.length, start <= first, end > last]).toEqual([1, true, true]);
    const inserted = Buffer.from('something new');
    const changed = Buffer.concat([CONTENT.subarray(0, first), inserted, CONTENT.subarray(last + 1)]);
    const again = chunksOf(changed.subarray(start, end + changed.length - CONTENT.length));
    const [before, after] = hashRanges.map((json) => (json === null ? null : MerkleHashSubtree.fromJSON(json)));
    expect(hashRanges.length).toBe(2);
    const whole = MerkleHashSubtree.merge([
      ...(before ? [before] : []),
      aggregate(again, before === null, after === null),
      ...(after ? [after] : []),
    ]);
    const hash = hmac(whole.finalHash() ?? new Uint8Array(), new Uint8Array(32));
    expect(hashToHex(hash)).toBe(hashToHex(fileHash(chunksOf(changed))));
    // The file has one term, and each change touches it.
    expect(gapVerification).toEqual([]);
  });

  test.each([
    [undefined, 400],
    ['bytes=', 400],
    ['bytes=9-0', 400],
    ['bytes=0-9,5-20', 400],
    ['bytes=-5', 400],
    [`bytes=${CONTENT.length}-${CONTENT.length}`, 416],
    [`bytes=0-${CONTENT.length + 5}`, 200],
  ])('with the ranges %s gets %i', async (ranges, status) => {
    expect((await changes(token, ranges)).status).toBe(status);
  });
});

describe('who may not read the repository', () => {
  const paths = [
    `/v1/reconstructions/${HASH}`,
    `/v2/reconstructions/${HASH}`,
    batch(HASH),
    `/v2/file-chunk-hashes/${HASH}`,
  ];
  const ask = (by: XetToken) =>
    Promise.all(
      paths.map(async (path) => {
        const answer = await get(by, path, { 'x-range-dirty': 'bytes=0-9' });
        const text = await answer.text();
        expect(text).not.toMatch(/xet-ranges|hashRanges|[0-9a-f]{64}/);
        return answer.status;
      }),
    );
  const all = (status: number) => paths.map(() => status);

  test('gets nothing by a token of another repository, of another owner, forged or expired', async () => {
    expect(await ask(await readToken(hub, 'alice', 'alice/open'))).toEqual(all(404));
    expect(await ask(await writeToken(hub, 'alice', 'alice/open'))).toEqual(all(404));
    expect(await ask(await readToken(hub, 'bob', 'bob/open'))).toEqual(all(404));
    expect(await ask({ ...(await readToken(hub, 'bob', 'bob/open')), casUrl: token.casUrl })).toEqual(all(401));
    expect(await ask({ ...token, accessToken: `${token.accessToken}x` })).toEqual(all(401));
    expect(await ask({ ...token, accessToken: hub.as('alice').accessToken })).toEqual(all(401));
    hub.clock.advance(3_600_000);
    expect(await ask(token)).toEqual(all(401));
  });

  test('gets nothing once the repository is closed to them, not even by a token to write', async () => {
    const reading = await readToken(hub, 'bob', 'alice/open');
    const proposing = await writeToken(hub, 'bob', 'alice/open', '?create_pr=1');
    const path = `/v2/reconstructions/${OTHER_HASH}`;
    for (const by of [reading, proposing]) expect((await get(by, path)).status).toBe(200);
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/open', settings: { private: true } });
    for (const by of [reading, proposing]) expect((await get(by, path)).status).toBe(404);
  });
});

test('nothing is told of files on a hub that sends them without Xet', async () => {
  const plain = await startReading({});
  await commitFile(plain, 'alice', 'alice/secret', CONTENT);
  const by = await readToken(plain, 'alice', 'alice/secret');
  for (const path of [batch(HASH), `/v2/file-chunk-hashes/${HASH}`])
    expect((await get(by, path, { 'x-range-dirty': 'bytes=0-9' })).status).toBe(404);
});

describe('the batch call of git LFS', () => {
  const objects = [{ oid: 'a'.repeat(64), size: 300_000 }];
  const asked = { operation: 'upload' as const, objects, transfers: ['basic', 'multipart', 'xet'] };
  const ask = (on: TestHub, user: string, given: object) =>
    lfsBatch({ ...on.as(user), repo: 'alice/open', ...asked, ...given });
  const javascript = { hash_algo: 'sha_256' as const };

  test('tells @huggingface/hub where it gets a token of Xet, and nobody else', async () => {
    const tokens = `${hub.url}/api/models/alice/open/xet-write-token`;
    for (const [given, url] of [
      [{ ref: { name: 'main' } }, `${tokens}/main`],
      [{ ref: { name: 'refs/pr/1' } }, `${tokens}/refs%2Fpr%2F1`],
      [{}, `${tokens}/main?create_pr=1`],
    ] as const) {
      const { transfer, objects: answers } = await ask(hub, 'alice', { ...javascript, ...given });
      expect([transfer, answers[0]?.actions?.upload?.href]).toEqual(['xet', url]);
    }
    const ref = { name: 'main' };
    for (const given of [{ hash_algo: 'sha256' as const }, {}, { ...javascript, transfers: ['basic', 'multipart'] }])
      expect((await ask(hub, 'alice', { ref, ...given })).transfer).toBe('basic');
    expect((await ask(await startReading({}), 'alice', { ref, ...javascript })).transfer).toBe('basic');
  });

  test('tells who may not write nothing, and gives no token by itself', async () => {
    await expect(ask(hub, 'bob', { ...javascript, ref: { name: 'main' } })).rejects.toMatchObject({ status: 403 });
    const { objects: answers } = await ask(hub, 'bob', javascript);
    const { href = '', ...others } = answers[0]?.actions?.upload ?? {};
    expect(others).toEqual({ expires_in: expect.any(Number) });
    expect((await fetch(href)).status).toBe(401);
    expect((await fetch(href.replace('?create_pr=1', ''), bearer('bob'))).status).toBe(403);
  });
});

const bearer = (user: string) => ({ headers: { authorization: `Bearer ${hub.as(user).accessToken}` } });
