import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { lfsBatch } from '@moonbase/client/large-files';
import { createRepo } from '@moonbase/client/repositories';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addLargeFile, commitAt, elsewhere, type Interfere, upstreamHubs } from './upstream-hubs.ts';

const MEBIBYTE = 1024 * 1024;
const FIVE_MINUTES = 300_000;

let hubs: Awaited<ReturnType<typeof upstreamHubs>>;

const addLarge = (path: string, size: number) => addLargeFile(hubs, 'ada/weights', path, size);

beforeAll(async () => {
  hubs = await upstreamHubs();
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/weights' });
  await commitAt(hubs.upstream, 'ada', 'models/ada/weights', {
    files: { 'config.json': '{"a": 1}\n', 'empty.txt': '', 'odd name#1%.txt': 'odd' },
  });
});
afterAll(() => hubs[Symbol.asyncDispose]());
beforeEach(() => {
  hubs.wire.back();
  hubs.wire.take();
});

const fetches = () => hubs.wire.take().filter((line) => line.includes('/resolve/'));
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
/** Returns the headers that clients look at. */
const shown = ({ status, headers }: Response) => ({
  status,
  ...Object.fromEntries(
    ['etag', 'x-repo-commit', 'x-linked-etag', 'x-linked-size', 'content-length', 'content-range', 'content-type']
      .map((name) => [name, headers.get(name)] as const)
      .filter(([, value]) => value !== null),
  ),
});

describe('a file that only the upstream has', () => {
  test('has the same headers and bytes as there', async () => {
    const large = await addLarge('small.bin', 2000);
    for (const path of ['config.json', 'empty.txt', 'odd%20name%231%25.txt', 'small.bin'])
      for (const init of [
        {},
        { method: 'HEAD' },
        { headers: { range: 'bytes=1-2' } },
        { headers: { range: 'bytes=9999-' } },
      ]) {
        const there = await fetch(`${hubs.upstream.url}/ada/weights/resolve/main/${path}`, {
          ...init,
          headers: { authorization: `Bearer ${hubs.upstream.as('ada').accessToken}`, ...init.headers },
        });
        const here = await hubs.ask(`/ada/weights/resolve/main/${path}`, init);
        if (there.status === 416)
          expect([path, here.status, here.headers.get('content-range')]).toEqual([
            path,
            416,
            there.headers.get('content-range'),
          ]);
        else {
          expect([path, shown(here)]).toEqual([path, shown(there)]);
          expect(await bytesOf(here)).toEqual(await bytesOf(there));
        }
      }
    const pointer = await (await hubs.ask('/ada/weights/raw/main/small.bin')).text();
    expect(pointer).toContain(`oid sha256:${large.oid}`);
    const known = await hubs.ask(large.path, { headers: { 'if-none-match': `"${large.oid}"` } });
    expect(known.status).toBe(304);
  });

  test('is fetched once, and then served when the upstream is away', async () => {
    const { path, bytes } = await addLarge('once.bin', 3000);
    await hubs.ask(path, { method: 'HEAD' });
    expect(fetches()).toEqual([]);
    expect(await bytesOf(await hubs.ask(path))).toEqual(bytes);
    expect(fetches()).toHaveLength(1);
    hubs.wire.away();
    expect(await bytesOf(await hubs.ask(path))).toEqual(bytes);
    expect(await bytesOf(await hubs.ask(path, { headers: { range: 'bytes=-10' } }))).toEqual(bytes.subarray(-10));
    expect(fetches()).toEqual([]);
  });

  test('of many megabytes is fetched once for twenty clients at once', async () => {
    const { path, bytes } = await addLarge('wide.bin', 9 * MEBIBYTE);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const range = at % 4 === 3 ? { headers: { range: `bytes=${at * MEBIBYTE - at}-` } } : {};
        return bytesOf(await hubs.ask(path, at < 12 ? range : {}));
      }),
    );
    for (const [at, answer] of answers.entries()) {
      const from = at < 12 && at % 4 === 3 ? at * MEBIBYTE - at : 0;
      if (from < bytes.length) expect(answer.equals(bytes.subarray(from))).toBe(true);
    }
    expect(fetches()).toHaveLength(1);
    hubs.wire.away();
    expect((await bytesOf(await hubs.ask(path))).equals(bytes)).toBe(true);
  });

  test('arrives while it is read', async () => {
    const { path, bytes } = await addLarge('slow.bin', 6 * MEBIBYTE);
    let goOn = () => {};
    hubs.wire.let((request, response) => {
      if (!request.url?.includes('/resolve/')) return undefined;
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 2 * MEBIBYTE));
      goOn = () => response.end(bytes.subarray(2 * MEBIBYTE));
      return true;
    });
    const response = await hubs.ask(path);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(first?.value?.length).toBeGreaterThan(0);
    goOn();
    let length = first?.value?.length ?? 0;
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) length += next.value.length;
    expect(length).toBe(bytes.length);
  });
});

/** Answers a request for bytes with these, whatever was announced. */
const send =
  (bytes: Uint8Array, headers: Record<string, string | number> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { ...headers }).end(bytes);

/** Answers requests for files only. */
const inPlaceOfFiles =
  (reply: (response: ServerResponse) => unknown): Interfere =>
  (request, response) => {
    if (!request.url?.includes('/resolve/')) return undefined;
    reply(response);
    return true;
  };

describe('an upstream that does not keep its word', () => {
  const lies: readonly [string, (bytes: Buffer) => (response: ServerResponse) => unknown][] = [
    ['other bytes', (bytes) => send(Buffer.alloc(bytes.length, 1))],
    [
      'one byte that is wrong',
      (bytes) => send(Buffer.concat([bytes.subarray(0, -1), Buffer.from([255 - (bytes.at(-1) ?? 0)])])),
    ],
    ['too few bytes', (bytes) => send(bytes.subarray(0, -10))],
    ['too many bytes', (bytes) => send(Buffer.concat([bytes, Buffer.from('more')]))],
    ['another length', (bytes) => send(bytes.subarray(0, -10), { 'content-length': bytes.length - 10 })],
    ['a compressed body', (bytes) => send(bytes, { 'content-encoding': 'gzip' })],
    [
      'bytes that break off',
      (bytes) => (response) => {
        response
          .writeHead(200, { 'content-length': bytes.length })
          .write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
      },
    ],
    ['an error', () => (response) => response.writeHead(500).end('no')],
    ['nothing', () => (response) => response.writeHead(404).end()],
  ];

  test.each(lies)('cannot pass off %s as a small file', async (_, lie) => {
    const { path, bytes } = await addLarge(`lie-${randomBytes(4).toString('hex')}.bin`, 5000);
    hubs.wire.let(inPlaceOfFiles(lie(bytes)));
    const response = await hubs.ask(path);
    expect(response.status).toBe(504);
    hubs.wire.back();
    expect(await bytesOf(await hubs.ask(path))).toEqual(bytes);
  });

  test.each(lies)('cannot pass off %s as a large file', async (_, lie) => {
    const { path, bytes } = await addLarge(`lie-${randomBytes(4).toString('hex')}.bin`, 5 * MEBIBYTE);
    hubs.wire.let(inPlaceOfFiles(lie(bytes)));
    const whole = async (init: RequestInit = {}) => {
      const response = await hubs.ask(path, init);
      return response.ok
        ? bytesOf(response).then(
            () => 'complete',
            () => 'broken',
          )
        : response.status;
    };
    expect(['broken', 504]).toContain(await whole());
    // Not even a part is complete before everything is verified.
    expect(['broken', 504]).toContain(await whole({ headers: { range: 'bytes=0-99' } }));
    hubs.wire.back();
    expect((await bytesOf(await hubs.ask(path))).equals(bytes)).toBe(true);
  });

  test('is not followed to addresses that the operator does not allow', async () => {
    const { path } = await addLarge('away.bin', 100);
    hubs.wire.let((request, response) =>
      request.url?.includes('/resolve/')
        ? response.writeHead(302, { location: 'http://10.0.0.1/file' }).end()
        : undefined,
    );
    const response = await hubs.ask(path);
    expect(response.status).toBe(504);
    const text = await response.text();
    expect(text).toContain('The connection failed');
    expect(text).not.toContain('10.0.0.1');
  });

  test('gets nothing of the caller, and its token goes nowhere else', async () => {
    const { path, bytes } = await addLarge('elsewhere.bin', 100);
    const other = await elsewhere(bytes);
    hubs.wire.let((request, response) =>
      request.url?.includes('/resolve/') ? response.writeHead(302, { location: other.url }).end() : undefined,
    );
    const headers = {
      cookie: 'session=secret',
      'x-xet-session-id': 'secret',
      'user-agent': 'secret',
      range: 'bytes=0-',
    };
    expect(await bytesOf(await hubs.ask(path, { headers }))).toEqual(bytes);
    expect(JSON.stringify(hubs.wire.asked)).not.toMatch(/secret|hf_tokenOfbob/);
    expect(JSON.stringify(hubs.wire.asked)).toContain('Bearer hf_tokenOfada');
    expect(other.asked).toHaveLength(1);
    expect(JSON.stringify(other.asked)).not.toMatch(/secret|hf_token|authorization/);
    await other[Symbol.asyncDispose]();
  });
});

test('a file that this hub has for somebody is not given away because the upstream names it', async () => {
  const secret = Buffer.from('a secret of bob');
  const oid = createHash('sha256').update(secret).digest('hex');
  const bob = hubs.hub.as('bob');
  await createRepo({ ...bob, repo: 'bob/secret', private: true });
  const asked = { oid, size: secret.length };
  const { objects } = await lfsBatch({ ...bob, repo: 'bob/secret', operation: 'upload', objects: [asked] });
  await fetch(objects[0]?.actions?.upload?.href ?? '', { method: 'PUT', body: secret });
  const entry = {
    type: 'file',
    path: 'x.bin',
    size: secret.length,
    oid: '1'.repeat(40),
    lfs: { ...asked, pointerSize: 130 },
  };
  hubs.hub.clock.advance(FIVE_MINUTES);
  hubs.wire.let((request, response) => {
    if (request.url?.includes('/paths-info/')) return response.end(JSON.stringify([entry]));
    if (request.url?.includes('/resolve/')) return response.writeHead(404).end();
    return undefined;
  });
  expect((await hubs.ask('/ada/weights/resolve/main/x.bin')).status).toBe(504);
});
