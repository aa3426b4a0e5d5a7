import { createConnection } from 'node:net';
import { createAccessToken, revokeCredentials } from '@moonbase/client/access-tokens';
import { changeBucketFiles, getBucketPathsInfo, listBucketTree } from '@moonbase/client/content';
import { getBucket, updateRepoSettings } from '@moonbase/client/repositories';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { bytesOf } from './blobs/bytes.ts';
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
import { type Connection, collect, type TestHub, tokenOf } from './harness.ts';
import { idOf } from './large-files-fixture.ts';
import { chunksOf } from './xet-chunker.ts';
import {
  askToken,
  fileOf,
  lastLine,
  sendShard,
  sendXorb,
  shardOf,
  type TestFile,
  wholeXorb,
  xorbOf,
} from './xet-client.ts';

const DATA = 'alice/data';
const HIDDEN = 'alice/hidden';
const NOT_SENT = {
  processed: 1,
  succeeded: 0,
  failed: [{ path: 'a', error: expect.stringContaining('was not sent') }],
};

const empty = (path: string) => add(path, { hash: '0'.repeat(64) });

let hub: TestHub;
beforeEach(async () => {
  hub = await startWithBuckets();
});

const addsTo = async (user: string, bucket: string, file: { readonly hash: string }) => {
  const answer = await postLines(hub, user, bucket, JSON.stringify(add('a', file)));
  return [answer.status, (await answer.json()) as unknown];
};

const pathsOf = async (repo: string) =>
  (await collect(listBucketTree({ ...hub.as('alice'), repo }))).map(({ path }) => path);

test('the hash of a file in another bucket, also of the same owner, gives nothing', async () => {
  const file = await putFile(hub, 'alice', HIDDEN, 'a', bytesOf(5_000));
  expect(await addsTo('alice', DATA, file)).toMatchObject([422, NOT_SENT]);
  expect(await addsTo('bob', 'bob/data', file)).toMatchObject([422, NOT_SENT]);
  // Nobody learns whether the hub has the file.
  const unknown = await addsTo('bob', 'bob/data', { hash: 'f'.repeat(64) });
  expect(await addsTo('bob', 'bob/data', file)).toEqual(unknown);
  const { casUrl, accessToken } = await tokenFor(hub, 'alice', DATA, 'read');
  const answer = await fetch(`${casUrl}/v1/reconstructions/${file.hash}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(404);
});

test('a copy from what the caller cannot read fails like one from what is not there', async () => {
  const { hash } = await putFile(hub, 'alice', HIDDEN, 'a', bytesOf(5_000));
  const copy = (sourceRepoId: string, sourceRepoType = 'bucket', xetHash = hash) =>
    JSON.stringify({ type: 'copyFile', path: 'a', xetHash, sourceRepoType, sourceRepoId });
  const results = [];
  for (const line of [
    ...[copy(HIDDEN), copy('alice/none'), copy('nobody/none'), copy('x'), copy('a/b/c'), copy('alice/secret', 'model')],
    copy(DATA),
  ]) {
    const answer = await postLines(hub, 'bob', 'bob/data', line);
    results.push([answer.status, await answer.text()]);
  }
  expect(new Set(results.map(String))).toHaveLength(1);
  expect(results[0]?.[0]).toBe(422);
  expect(await grantsOf(hub, (await getBucket({ ...hub.as('bob'), repo: 'bob/data' }))._id)).toEqual([]);
});

describe('a copy to a repository', () => {
  const copyTo = async (as: Connection, from: string, name: string, file: TestFile, type = 'model') => {
    const body = { target: { type, name }, files: [{ sha256: file.sha256, xetHash: file.hash }] };
    const answer = await ask(as, `POST /api/buckets/${from}/lfs-files/duplicate`, body);
    return [answer.status, (await answer.json()) as unknown];
  };
  const COPIED = { success: true, succeeded: 1 };
  const NONE = { success: false, succeeded: 0, failed: [{ error: 'The repository has no such file' }] };

  test('needs the right to read the bucket and to write to the repository', async () => {
    const [hidden, shown] = [
      await putFile(hub, 'alice', HIDDEN, 'a', bytesOf(5_000)),
      await putFile(hub, 'alice', DATA, 'a', bytesOf(6_000)),
    ];
    const [bob, alice] = [hub.as('bob'), hub.as('alice')];
    expect((await copyTo(bob, HIDDEN, 'bob/open', hidden))[0]).toBe(404);
    expect((await copyTo(bob, DATA, 'alice/secret', shown))[0]).toBe(404);
    expect((await copyTo(bob, DATA, 'alice/open', shown))[0]).toBe(403);
    expect(await copyTo(bob, DATA, 'bob/open', hidden)).toMatchObject([200, NONE]);
    const { token } = await createAccessToken({
      ...alice,
      ...{ displayName: 'one repository', role: 'fineGrained' as const },
      fineGrained: {
        scoped: [
          {
            entity: { type: 'model', _id: await idOf(hub, 'repositories', 'alice/open') },
            permissions: ['repo.content.read', 'repo.write'],
          },
        ],
      },
    });
    expect((await copyTo(hub.with(token), HIDDEN, 'alice/open', hidden))[0]).toBe(404);
    expect((await copyTo(hub.with(token), DATA, 'alice/secret', shown))[0]).toBe(404);
    expect(await copyTo(hub.with(token), DATA, 'alice/open', shown)).toMatchObject([200, COPIED]);
    expect(await copyTo(alice, HIDDEN, 'alice/open', hidden)).toMatchObject([200, COPIED]);
    expect(await grantsOf(hub, await idOf(hub, 'repositories', 'bob/open'))).toEqual([]);
  });

  test('takes no file that was sent and has no path, and nothing goes to a bucket', async () => {
    const file = await sendBytes(hub, 'alice', DATA, bytesOf(5_000));
    expect(await copyTo(hub.as('bob'), DATA, 'bob/open', file)).toMatchObject([200, NONE]);
    await change(hub, 'alice', DATA, add('a', file));
    expect((await copyTo(hub.as('bob'), DATA, 'bob/data', file, 'bucket'))[0]).toBe(400);
    expect(await copyTo(hub.as('bob'), DATA, 'bob/open', file)).toMatchObject([200, COPIED]);
    for (const request of ['GET', 'DELETE'] as const) {
      const path = request === 'GET' ? '' : `/${file.sha256}`;
      expect((await ask(hub.as('alice'), `${request} /api/buckets/${DATA}/lfs-files${path}`)).status).toBe(400);
    }
    expect((await getFile(hub, 'bob', `${DATA}/resolve/a`)).status).toBe(200);
  });

  test('needs room in the quota of the owner of the repository', async () => {
    const small = await startWithBuckets({ MOONBASE_QUOTA_USER_GIB: '1' });
    const file = await putFile(small, 'alice', DATA, 'a', bytesOf(9_000));
    expect(await copyTo(small.as('bob'), DATA, 'bob/open', file)).toMatchObject([200, COPIED]);
    const full = { size: 1024 ** 3 };
    const repoId = await idOf(small, 'repositories', 'bob/open');
    await small.database.transaction((tx) =>
      tx.updateTable('repo_files').set(full).where('repo_id', '=', repoId).execute(),
    );
    // It is there already, so that it needs no room.
    expect(await copyTo(small.as('bob'), DATA, 'bob/open', file)).toMatchObject([200, COPIED]);
    expect((await copyTo(small.as('bob'), DATA, 'bob/secret', file))[0]).toBe(413);
  });
});

test('a token that reaches one bucket alone copies nothing from another', async () => {
  const { hash } = await putFile(hub, 'alice', HIDDEN, 'a', bytesOf(5_000));
  const { token } = await createAccessToken({
    ...hub.as('alice'),
    ...{ username: 'alice', displayName: 'narrow', role: 'fineGrained' },
    fineGrained: {
      scoped: [
        {
          entity: { type: 'bucket', _id: (await getBucket({ ...hub.as('alice'), repo: DATA }))._id },
          permissions: ['repo.content.read', 'repo.write'],
        },
      ],
    },
  });
  const line = { type: 'copyFile', path: 'a', xetHash: hash, sourceRepoType: 'bucket', sourceRepoId: HIDDEN };
  const batch = changeBucketFiles({ hubUrl: hub.url, accessToken: token, repo: DATA, operations: linesOf([line]) });
  await expect(batch).rejects.toMatchObject({ status: 422 });
  const own = { ...line, sourceRepoId: DATA, xetHash: (await putFile(hub, 'alice', DATA, 'b', bytesOf(10))).hash };
  await changeBucketFiles({ hubUrl: hub.url, accessToken: token, repo: DATA, operations: linesOf([own]) });
  expect(await pathsOf(DATA)).toEqual(['a', 'b']);
});

test('a token of one bucket sends nothing to another, and a token for reading sends nothing', async () => {
  const file = await sendBytes(hub, 'alice', HIDDEN, bytesOf(5_000));
  expect(await addsTo('alice', DATA, file)).toMatchObject([422, NOT_SENT]);
  const reading = await tokenFor(hub, 'bob', DATA, 'read');
  expect((await sendXorb(reading, xorbOf(chunksOf(bytesOf(100))))).status).toBe(403);
  expect((await sendShard(reading, shardOf([]))).status).toBe(403);
  expect((await askToken(hub, 'bob', `buckets/${DATA}/xet-write-token`)).status).toBe(403);
  expect((await askToken(hub, 'bob', `buckets/${HIDDEN}/xet-read-token`)).status).toBe(404);
});

test('a shard without the SHA-256 of its files makes files of buckets alone, and a wrong one makes none', async () => {
  const xorb = xorbOf(chunksOf(bytesOf(5_000)));
  const file = fileOf(wholeXorb(xorb));
  const model = (await (await askToken(hub, 'alice', 'models/alice/open/xet-write-token/main')).json()) as never;
  await sendXorb(model, xorb);
  expect(await lastLine(model, shardOf([file], [xorb], false))).toMatchObject({
    message: 'A file of the shard has no SHA-256',
  });
  expect(await lastLine(model, shardOf([{ ...file, terms: [] }], [xorb]))).toMatchObject({
    message: 'A file of the shard has no terms',
  });
  const bucket = await tokenFor(hub, 'alice', DATA);
  expect(await lastLine(bucket, shardOf([{ ...file, sha256: 'f'.repeat(64) }], [xorb]))).toMatchObject({
    message: expect.stringContaining('another SHA-256'),
  });
  expect(await addsTo('alice', DATA, file)).toMatchObject([422, NOT_SENT]);
});

describe('a path', () => {
  test.each([
    ...['', '/', 'a/', '/a', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', '..\\a', 'a\\..\\b', 'a\\\\b'],
    ...['a\0', 'a\nb', '\u007f', '\u{10ffff}', 'é'.repeat(513), 'a/'.repeat(600)],
  ])('%j is refused', async (path) => {
    const answer = await postLines(hub, 'alice', DATA, JSON.stringify({ ...add(path, { hash: '0'.repeat(64) }) }));
    expect(answer.status).toBe(422);
    const requested = await getFile(hub, 'alice', `${DATA}/resolve/${encodeURIComponent(path)}`);
    expect([400, 404]).toContain(requested.status);
    // No body of a request has such a character.
    if (path.includes('\0')) return;
    expect(await getBucketPathsInfo({ ...hub.as('alice'), repo: DATA, paths: [path] })).toEqual([]);
  });

  test('with half of a character is refused', async () => {
    const answer = await postLines(hub, 'alice', DATA, `{"type":"deleteFile","path":"a\\ud800"}`);
    expect(answer.status).toBe(422);
  });
});

describe('a batch', () => {
  test('of 100,000 lines is refused as a whole, one of 10,000 is applied', async () => {
    const lines = Array.from({ length: 100_000 }, (_, number) => JSON.stringify(empty(`${number}`)));
    expect((await postLines(hub, 'alice', DATA, lines.join('\n'))).status).toBe(413);
    expect(await pathsOf(DATA)).toEqual([]);
    expect((await postLines(hub, 'alice', DATA, lines.slice(0, 10_000).join('\n'))).status).toBe(200);
    expect(await getBucket({ ...hub.as('alice'), repo: DATA })).toMatchObject({ totalFiles: 10_000 });
  });

  test('with a line without an end is refused', async () => {
    const answer = await postLines(hub, 'alice', DATA, JSON.stringify(empty('a'.repeat(70_000))));
    expect(answer.status).toBe(413);
  });

  test('that is cut off changes nothing', async () => {
    const body = `${JSON.stringify(empty('a'))}\n`;
    const { hostname, port } = new URL(hub.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      `POST /api/buckets/${DATA}/batch HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${tokenOf('alice')}\r\n` +
        `content-type: application/x-ndjson\r\ncontent-length: ${body.length * 2}\r\n\r\n${body}`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await change(hub, 'alice', DATA, { type: 'deleteFile', path: 'none' });
    expect(await pathsOf(DATA)).toEqual([]);
  });

  test('whose token is revoked while its lines arrive changes nothing', async () => {
    const { token } = await createAccessToken({
      ...hub.as('alice'),
      ...{ username: 'alice', displayName: 'short', role: 'write' },
    });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const answer = fetch(`${hub.url}/api/buckets/${DATA}/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
      body: readable,
      duplex: 'half',
    } as RequestInit);
    await writer.write(Buffer.from(`${JSON.stringify(empty('a'))}\n`));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await revokeCredentials({ hubUrl: hub.url, credentials: [token] });
    await writer.close();
    expect((await answer).status).toBe(401);
    expect(await pathsOf(DATA)).toEqual([]);
  });
});

test('who may not write changes nothing, and a stranger learns nothing', async () => {
  await change(hub, 'alice', HIDDEN, empty('a'));
  const line = JSON.stringify(empty('b'));
  expect((await postLines(hub, 'bob', DATA, line)).status).toBe(403);
  const [hidden, missing] = [
    await postLines(hub, 'bob', HIDDEN, line),
    await postLines(hub, 'bob', 'alice/none', line),
  ];
  expect([hidden.status, hidden.headers.get('x-error-code')]).toEqual([404, 'RepoNotFound']);
  expect(missing.status).toBe(404);
  for (const path of [`${HIDDEN}/resolve/a`, 'alice/none/resolve/a']) {
    expect((await getFile(hub, 'bob', path)).status).toBe(404);
    expect((await getFile(hub, undefined, path)).status).toBe(401);
  }
  await updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: DATA, settings: { private: true } });
  expect((await getFile(hub, 'bob', `${DATA}/resolve/a`)).status).toBe(404);
});

test('a URL of chunks ends with the right to read the bucket', async () => {
  const { hash } = await putFile(hub, 'alice', DATA, 'a', bytesOf(5_000));
  const { casUrl, accessToken } = await tokenFor(hub, 'bob', DATA, 'read');
  const reconstruction = await fetch(`${casUrl}/v2/reconstructions/${hash}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  const { xorbs } = (await reconstruction.json()) as { xorbs: Record<string, { url: string }[]> };
  const [part] = Object.values(xorbs).flat();
  expect((await fetch(part?.url ?? '')).status).toBe(206);
  await updateRepoSettings({ ...hub.as('alice'), type: 'bucket', repo: DATA, settings: { private: true } });
  expect((await fetch(part?.url ?? '')).status).toBe(404);
});

test('a cursor of another list or made by hand gets 400', async () => {
  const ask = (query: string) =>
    fetch(`${hub.url}/api/buckets/${DATA}/tree/a?${query}`, { headers: { authorization: `Bearer ${tokenOf('bob')}` } });
  const cursor = (key: string) => Buffer.from(key).toString('base64url');
  for (const query of [
    ...['cursor=x', `cursor=${cursor('file a\0b')}`, `recursive=false&cursor=${cursor('folder b')}`],
    ...['limit=0', 'limit=5001', 'sort=size'],
  ])
    expect((await ask(query)).status).toBe(400);
});
