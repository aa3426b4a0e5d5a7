import { randomBytes } from 'node:crypto';
import {
  createCommit,
  downloadBucketFile,
  downloadModelFile,
  getBucketPathsInfo,
  listBucketTree,
  listBucketTreeBelow,
} from '@moonbase/client/content';
import { duplicateLargeFiles } from '@moonbase/client/large-files';
import { createBucket, deleteBucket, getBucket, listBuckets, moveRepo } from '@moonbase/client/repositories';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import {
  add,
  change,
  getFile,
  grantsOf,
  linesOf,
  postLines,
  putFile,
  sendBytes,
  startWithBuckets,
  tokenFor,
} from './buckets-fixture.ts';
import { collect, type TestHub } from './harness.ts';
import { listen } from './webhooks-listen.ts';
import { commitFile, findOutChunks } from './xet-reading-fixture.ts';

const DATA = 'alice/data';
const HIDDEN = 'alice/hidden';
const DAY = 24 * 60 * 60 * 1000;
const EMPTY = { hash: '0'.repeat(64) };

const pathsOf = async (hub: TestHub, repo: string, recursive = true) =>
  (await collect(listBucketTree({ ...hub.as('alice'), repo, recursive }))).map(({ path }) => path);

const idOf = async (hub: TestHub, repo: string): Promise<string> => (await getBucket({ ...hub.as('alice'), repo }))._id;

const eventsOf = async ({ database: { read } }: TestHub) =>
  (await read.selectFrom('events').select('data').execute()).filter(({ data }) => data.includes('"repo.content"'));

test('a file that is sent to a bucket gets a path, and is listed and downloaded at once', async () => {
  const hub = await startWithBuckets();
  const bytes = bytesOf(300_000);
  const file = await putFile(hub, 'alice', DATA, 'folder/ünï #1.bin', bytes);

  const [listed] = await collect(listBucketTree({ ...hub.as('bob'), repo: DATA }));
  expect(listed).toMatchObject({
    ...{ type: 'file', path: 'folder/ünï #1.bin', size: 300_000, xetHash: file.hash },
    ...{ mtime: '2023-11-14T22:13:20.123Z' },
  });
  expect(
    await getBucketPathsInfo({ ...hub.as('bob'), repo: DATA, paths: ['none', 'folder/ünï #1.bin', 'folder'] }),
  ).toEqual([listed]);
  const blob = await downloadBucketFile({ ...hub.as('bob'), repo: DATA, path: 'folder/ünï #1.bin' });
  expect(Buffer.from(await blob.arrayBuffer()).equals(bytes)).toBe(true);
  expect(await getBucket({ ...hub.as('bob'), repo: DATA })).toMatchObject({ size: 300_000, totalFiles: 1 });
  const [first] = (await collect(listBuckets({ ...hub.as('alice'), namespace: 'me' }))).filter(({ id }) => id === DATA);
  expect(first).toMatchObject({ size: 300_000, totalFiles: 1 });
});

test('a file is served in ranges, by conditions, and with what clients of Xet need', async () => {
  const hub = await startWithBuckets();
  const bytes = bytesOf(100_000);
  const { hash } = await putFile(hub, 'alice', DATA, 'a.bin', bytes);
  const etag = `"${nameOf(bytes).sha256}"`;

  const head = await getFile(hub, 'alice', `${DATA}/resolve/a.bin`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '100000', etag]);
  expect(head.headers.get('x-xet-hash')).toBe(hash);
  expect(head.headers.get('link')).toContain(`<${hub.url}/api/buckets/${DATA}/xet-read-token>; rel="xet-auth"`);
  const range = await getFile(hub, 'alice', `${DATA}/resolve/a.bin`, { range: 'bytes=10-19' });
  expect([range.status, range.headers.get('content-range')]).toEqual([206, 'bytes 10-19/100000']);
  expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true);
  const known = await getFile(hub, 'alice', `${DATA}/resolve/a.bin`, { 'if-none-match': etag });
  expect(known.status).toBe(304);
  const beyond = await getFile(hub, 'alice', `${DATA}/resolve/a.bin`, { range: 'bytes=100000-' });
  expect(beyond.status).toBe(416);
  const info = await getFile(hub, 'alice', `${DATA}/resolve/a.bin`, {
    accept: 'application/vnd.xet-fileinfo+json, */*',
  });
  expect(await info.json()).toMatchObject({ hash, size: 100_000, etag });
  const missing = await getFile(hub, 'alice', `${DATA}/resolve/b.bin`);
  expect([missing.status, missing.headers.get('x-error-code')]).toEqual([404, 'EntryNotFound']);
});

test('a bucket is read through Xet at once, also where other files are sent without it', async () => {
  const hub = await startWithBuckets();
  const bytes = bytesOf(400_000);
  const { hash } = await putFile(hub, 'alice', DATA, 'a.bin', bytes);
  const { casUrl, accessToken } = await tokenFor(hub, 'bob', DATA, 'read');
  const answer = await fetch(`${casUrl}/v2/reconstructions/${hash}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(200);
  const { terms, xorbs } = (await answer.json()) as {
    terms: { unpacked_length: number }[];
    xorbs: Record<string, { url: string }[]>;
  };
  expect(terms.reduce((sum, { unpacked_length }) => sum + unpacked_length, 0)).toBe(400_000);
  const [part] = Object.values(xorbs).flat();
  expect((await fetch(part?.url ?? '')).status).toBe(206);

  await change(hub, 'alice', DATA, { type: 'deleteFile', path: 'a.bin' });
  hub.clock.advance(2 * DAY);
  await hub.drain();
  const gone = await tokenFor(hub, 'bob', DATA, 'read');
  const later = await fetch(`${casUrl}/v2/reconstructions/${hash}`, {
    headers: { authorization: `Bearer ${gone.accessToken}` },
  });
  expect(later.status).toBe(404);
});

test('files without bytes need no upload', async () => {
  const hub = await startWithBuckets();
  await change(hub, 'alice', DATA, add('empty', EMPTY));
  const answer = await getFile(hub, 'bob', `${DATA}/resolve/empty`);
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', '']);
  const etag = answer.headers.get('etag') ?? '';
  expect((await getFile(hub, 'bob', `${DATA}/resolve/empty`, { 'if-none-match': etag })).status).toBe(304);
  expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ size: 0, totalFiles: 1 });
});

describe('a batch', () => {
  test('is one delivery to webhooks, which names the bucket and no refs', async () => {
    const hub = await startWithBuckets();
    await using listener = await listen(hub, hub.as('bob'), [{ type: 'bucket', name: DATA }]);
    await change(hub, 'alice', DATA, add('a', EMPTY), add('b', EMPTY));
    expect(await listener.payloads()).toMatchObject([
      { event: { action: 'update', scope: 'repo.content' }, repo: { type: 'bucket', name: DATA }, updatedRefs: [] },
    ]);
  });

  test('that is sent again changes nothing and is no event', async () => {
    const hub = await startWithBuckets();
    const file = await sendBytes(hub, 'alice', DATA, bytesOf(10));
    const lines = [add('a', file, 1, 'text/plain'), add('b', file), { type: 'deleteFile', path: 'none' }];
    const expected = { success: true, processed: 3, succeeded: 3, failed: [] };
    expect(await change(hub, 'alice', DATA, ...lines)).toEqual(expected);
    const before = await collect(listBucketTree({ ...hub.as('alice'), repo: DATA }));
    hub.clock.advance(1_000);
    expect(await change(hub, 'alice', DATA, ...lines)).toEqual(expected);
    expect(await collect(listBucketTree({ ...hub.as('alice'), repo: DATA }))).toEqual(before);
    expect(await eventsOf(hub)).toHaveLength(1);
    expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ size: 20, totalFiles: 2 });
  });

  test('counts line after line, and each line for itself', async () => {
    const hub = await startWithBuckets();
    const file = await sendBytes(hub, 'alice', DATA, bytesOf(10));
    const result = await change(
      ...([hub, 'alice', DATA] as const),
      ...[add('a', file), { type: 'deleteFile', path: 'a' }, add('../b', file), add('c', { hash: 'f'.repeat(64) })],
      ...[add('d', file), add('d', file, 5)],
    );
    expect(result).toMatchObject({ success: false, processed: 6, succeeded: 4 });
    expect(result.failed.map(({ path }) => path)).toEqual(['../b', 'c']);
    const [d, ...others] = await collect(listBucketTree({ ...hub.as('alice'), repo: DATA }));
    expect([d, others]).toMatchObject([{ path: 'd', mtime: '1970-01-01T00:00:00.005Z' }, []]);
    const refused = await postLines(hub, 'alice', DATA, JSON.stringify(add('c', { hash: 'f'.repeat(64) })));
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { processed: 1, succeeded: 0, failed: [{ path: 'c' }] },
    ]);
  });

  test('with a line that is none changes nothing', async () => {
    const hub = await startWithBuckets();
    const file = await sendBytes(hub, 'alice', DATA, bytesOf(10));
    const good = JSON.stringify(add('a', file));
    for (const bad of [
      '{',
      '[]',
      '{"type":"moveFile","path":"a"}',
      JSON.stringify({ ...add('b', file), mtime: 1e18 }),
    ]) {
      const answer = await postLines(hub, 'alice', DATA, `${good}\n${bad}`);
      expect([answer.status, (await answer.json()) as unknown]).toMatchObject([
        400,
        { error: expect.stringContaining('Line 2') },
      ]);
    }
    expect(await pathsOf(hub, DATA)).toEqual([]);
  });

  test('replaces files, and the bucket keeps only the blobs that it needs', async () => {
    const hub = await startWithBuckets();
    const [one, two] = [bytesOf(1_000, 'one'), bytesOf(2_000, 'two')];
    await putFile(hub, 'alice', DATA, 'a', one);
    const second = await putFile(hub, 'alice', DATA, 'b', two);
    const id = await idOf(hub, DATA);
    hub.clock.advance(2 * DAY);
    await hub.drain();
    // A day after the uploads, only their paths keep the blobs.
    expect(await grantsOf(hub, id)).toEqual([one, two].map((bytes) => nameOf(bytes).sha256).sort());
    await change(hub, 'alice', DATA, add('a', second));
    expect(await grantsOf(hub, id)).toEqual([nameOf(two).sha256]);
    expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ size: 4_000, totalFiles: 2 });
    await change(hub, 'alice', DATA, { type: 'deleteFile', path: 'a' });
    expect(await grantsOf(hub, id)).toEqual([nameOf(two).sha256]);
    await change(hub, 'alice', DATA, { type: 'deleteFile', path: 'b' });
    expect(await grantsOf(hub, id)).toEqual([]);
    expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ size: 0, totalFiles: 0 });
  });
});

test('a file without a path is kept for a day after it was sent last', async () => {
  const hub = await startWithBuckets();
  const bytes = randomBytes(500);
  const id = await idOf(hub, DATA);
  await sendBytes(hub, 'alice', DATA, bytes);
  hub.clock.advance(DAY - 1);
  await hub.drain();
  const file = await sendBytes(hub, 'alice', DATA, bytes);
  hub.clock.advance(DAY - 1);
  await hub.drain();
  expect(await grantsOf(hub, id)).toEqual([file.sha256]);
  hub.clock.advance(2);
  hub.clock.advance(60 * 60 * 1000);
  await hub.drain();
  expect(await grantsOf(hub, id)).toEqual([]);
  const late = await postLines(hub, 'alice', DATA, JSON.stringify(add('a', file)));
  expect(late.status).toBe(422);
});

describe('copies', () => {
  test('need no bytes, from a bucket and from a repository that the caller reads', async () => {
    const hub = await startWithBuckets({ MOONBASE_XET_READ: 'true' });
    const weights = bytesOf(50_000, 'weights');
    await commitFile(hub, 'alice', 'alice/secret', weights);
    await findOutChunks(hub);
    const { hash } = await putFile(hub, 'bob', 'bob/data', 'from', bytesOf(3_000, 'of bob'));
    const row = await hub.database.read.selectFrom('xet_files').select('hash').where('size', '=', 50_000).execute();
    const result = await change(
      ...([hub, 'alice', DATA] as const),
      { type: 'copyFile', path: 'a', xetHash: hash, sourceRepoType: 'bucket', sourceRepoId: 'bob/data' },
      { type: 'copyFile', path: 'b', xetHash: row[0]?.hash, sourceRepoType: 'model', sourceRepoId: 'alice/secret' },
    );
    expect(result.failed).toEqual([]);
    const blob = await downloadBucketFile({ ...hub.as('alice'), repo: DATA, path: 'b' });
    expect(Buffer.from(await blob.arrayBuffer()).equals(weights)).toBe(true);
    await change(hub, 'bob', 'bob/data', { type: 'deleteFile', path: 'from' });
    expect((await downloadBucketFile({ ...hub.as('alice'), repo: DATA, path: 'a' })).size).toBe(3_000);
  });

  test('go to a repository as large files, which a commit gives paths', async () => {
    const hub = await startWithBuckets();
    const bytes = bytesOf(4_000, 'checkpoint');
    const { hash } = await putFile(hub, 'bob', 'bob/data', 'last.bin', bytes);
    const [listed] = await collect(listBucketTree({ ...hub.as('alice'), repo: 'bob/data' }));
    const { sha256, size } = nameOf(bytes);
    const target = { type: 'model' as const, name: 'alice/secret' };
    const copy = (xetHash: string | undefined, of = sha256) =>
      duplicateLargeFiles({
        ...hub.as('alice'),
        ...{ type: 'bucket', repo: 'bob/data', target, files: [{ sha256: of, xetHash, filename: 'last.bin' }] },
      });
    const none = { success: false, processed: 1, succeeded: 0, failed: [{ error: 'The repository has no such file' }] };
    for (const wrong of [copy(undefined), copy('f'.repeat(64)), copy(hash, 'f'.repeat(64))])
      expect(await wrong).toMatchObject(none);
    expect(listed).toMatchObject({ xetHash: hash });
    for (let times = 0; times < 2; times++)
      expect(await copy(hash)).toEqual({ success: true, processed: 1, succeeded: 1, failed: [] });
    const lines = [
      { key: 'header', value: { summary: 'From a bucket' } },
      { key: 'lfsFile', value: { path: 'last.bin', algo: 'sha256', oid: sha256, size } },
    ];
    const at = { type: 'model' as const, repo: 'alice/secret', branch: 'main' };
    await createCommit({ ...hub.as('alice'), ...at, operations: linesOf(lines) });
    await change(hub, 'bob', 'bob/data', { type: 'deleteFile', path: 'last.bin' });
    const file = { ...hub.as('alice'), repo: 'alice/secret', revisionAndPath: 'main/last.bin' };
    expect(Buffer.from(await (await downloadModelFile(file)).arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('within a bucket move a file, with a line that deletes the old path', async () => {
    const hub = await startWithBuckets();
    const { hash } = await putFile(hub, 'alice', HIDDEN, 'old', bytesOf(100));
    hub.clock.advance(2 * DAY);
    await hub.drain();
    const copy = { type: 'copyFile', path: 'new', xetHash: hash, sourceRepoType: 'bucket', sourceRepoId: HIDDEN };
    expect((await change(hub, 'alice', HIDDEN, copy, { type: 'deleteFile', path: 'old' })).failed).toEqual([]);
    expect(await pathsOf(hub, HIDDEN)).toEqual(['new']);
    expect((await downloadBucketFile({ ...hub.as('alice'), repo: HIDDEN, path: 'new' })).size).toBe(100);
  });
});

describe('the tree', () => {
  const PATHS = ['a', 'a-b/1', 'a.txt', 'a/1', 'a/2', 'a/b/1', 'a/b/2', 'a0', 'z/1', 'é/ü', '😀/1'];

  async function startWithTree(): Promise<TestHub> {
    const hub = await startWithBuckets();
    await change(hub, 'alice', DATA, ...PATHS.map((path) => add(path, EMPTY)).reverse());
    return hub;
  }

  test('lists files in the order of bytes, in pages', async () => {
    const hub = await startWithTree();
    for (const pageSize of [1, 3, 11, 100]) {
      const files = await collect(listBucketTree({ ...hub.as('bob'), repo: DATA, pageSize }));
      expect(files.map(({ path }) => path)).toEqual(PATHS);
    }
  });

  test('lists what begins with a prefix', async () => {
    const hub = await startWithTree();
    const below = async (prefix: string, recursive = true) =>
      (await collect(listBucketTreeBelow({ ...hub.as('bob'), repo: DATA, prefix, recursive, pageSize: 2 }))).map(
        ({ path, type }) => (type === 'file' ? path : `${path}/`),
      );
    expect(await below('a/')).toEqual(['a/1', 'a/2', 'a/b/1', 'a/b/2']);
    expect(await below('a')).toEqual(PATHS.slice(0, 8));
    expect(await below('none')).toEqual([]);
    expect(await below('a', false)).toEqual(['a', 'a/1', 'a/2', 'a/b/']);
    expect(await below('a/b/', false)).toEqual(['a/b/1', 'a/b/2']);
    expect(await below('😀', false)).toEqual(['😀/1']);
    expect(await below('none', false)).toEqual([]);
  });

  test('lists files the other way round, and by the time of upload', async () => {
    const hub = await startWithTree();
    hub.clock.advance(1_000);
    await change(hub, 'alice', DATA, ...['b', 'a-b/1'].map((path) => add(path, EMPTY, 5)));
    const all = [...PATHS, 'b'].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
    const isNew = (path: string) => ['b', 'a-b/1'].includes(path);
    const uploads = [...all.filter((path) => !isNew(path)), 'a-b/1', 'b'];
    const orders = [
      [{ direction: 'desc' }, all.toReversed()],
      [{ sort: 'uploadedAt' }, uploads.toReversed()],
      [{ sort: 'uploadedAt', direction: 'asc' }, uploads],
    ] as const;
    for (const [order, expected] of orders)
      for (const pageSize of [1, 5, 100]) {
        const files = await collect(listBucketTree({ ...hub.as('bob'), repo: DATA, pageSize, ...order }));
        expect([order, files.map(({ path }) => path)]).toEqual([order, expected]);
      }
    const refused = [
      ...['tree?sort=uploadedAt&recursive=false', 'tree/a?sort=uploadedAt', 'tree?direction=desc&recursive=false'],
      ...['tree?sort=size', 'tree?direction=up', 'tree?sort=uploadedAt&cursor=ZmlsZSBh'],
    ];
    for (const path of refused) {
      const answer = await ask(hub.as('bob'), `GET /api/buckets/${DATA}/${path}`);
      expect([path, answer.status]).toEqual([path, 400]);
    }
  });

  test('lists folders, in pages, as old as the first file in them', async () => {
    const hub = await startWithTree();
    hub.clock.advance(1_000);
    await change(hub, 'alice', DATA, ...['a-b/1', 'a/2'].map((path) => add(path, EMPTY, 5)));
    const files = await collect(listBucketTree({ ...hub.as('bob'), repo: DATA }));
    for (const pageSize of [1, 4, 100]) {
      const items = await collect(listBucketTree({ ...hub.as('bob'), repo: DATA, recursive: false, pageSize }));
      expect(items.map(({ path, type }) => (type === 'file' ? path : `${path}/`))).toEqual([
        'a',
        'a-b/',
        'a.txt',
        'a/',
        'a0',
        'z/',
        'é/',
        '😀/',
      ]);
      for (const { type, path, uploadedAt } of items) {
        const first = files.find((file) => (type === 'file' ? file.path === path : file.path.startsWith(`${path}/`)));
        expect([path, uploadedAt]).toEqual([path, first?.uploadedAt]);
      }
    }
  });
});

test('a moved bucket keeps its files, also at its old name', async () => {
  const hub = await startWithBuckets();
  await putFile(hub, 'alice', DATA, 'a', bytesOf(5));
  await moveRepo({ ...hub.as('alice'), type: 'bucket', from: DATA, to: 'alice/moved' });
  expect(await pathsOf(hub, 'alice/moved')).toEqual(['a']);
  const old = await getFile(hub, 'bob', `${DATA}/resolve/a`);
  expect([old.status, old.headers.get('location')]).toEqual([307, `/buckets/alice/moved/resolve/a`]);
});

test('the files of a deleted bucket are deleted in steps, and a new one of its name has none', async () => {
  const hub = await startWithBuckets();
  const lines = Array.from({ length: 1_200 }, (_, number) => add(`${number}`, EMPTY));
  await change(hub, 'alice', DATA, ...lines);
  await putFile(hub, 'alice', HIDDEN, 'stays', bytesOf(5));
  await deleteBucket({ ...hub.as('alice'), repo: DATA });
  await createBucket({ ...hub.as('alice'), repo: DATA });
  expect(await pathsOf(hub, DATA)).toEqual([]);
  expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ size: 0, totalFiles: 0 });
  hub.clock.advance(2 * 60 * 60 * 1000);
  await hub.drain();
  const left = await hub.database.read.selectFrom('bucket_files').select('path').execute();
  expect(left).toEqual([{ path: 'stays' }]);
});
