import { hashToHex, xorbHash } from '@huggingface/xetchunk-wasm';
import { deleteLargeFile } from '@moonbase/client/large-files';
import { updateRepoSettings } from '@moonbase/client/repositories';
import { beforeEach, describe, expect, test } from 'vitest';
import { isAskedFor } from '../src/platform/xet/hash-text.ts';
import { bytesOf } from './blobs/bytes.ts';
import { type TestHub, tokenOf } from './harness.ts';
import { chunksOf } from './xet-chunker.ts';
import {
  askToken,
  fileOf,
  lastLine,
  sendXorb,
  shardOf,
  type TestXorb,
  writeToken,
  type XetToken,
  xorbOf,
} from './xet-client.ts';
import { commitFile, findOutChunks, MINUTE, startReading } from './xet-reading-fixture.ts';

const CONTENT = bytesOf(3_000_000, 'an old file');
/** The file of a repository, as the hub offers its chunks. */
const OLD: TestXorb = xorbOf(chunksOf(CONTENT));
const [FIRST] = OLD.chunks;

const askFor = ({ casUrl, accessToken }: XetToken, hash: Uint8Array | undefined, prefix = 'default') =>
  fetch(`${casUrl}/v1/chunks/${prefix}/${hashToHex(hash ?? new Uint8Array(32))}`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });

/** Reads the xorbs and the look-up tables of a shard, as clients do. */
function readListed(shard: Buffer) {
  const footer = shard.subarray(-200);
  const long = (at: number) => Number(footer.readBigUInt64LE(at * 8));
  expect(shard.readBigUInt64LE(32)).toBe(2n);
  expect([long(0), long(1), long(2), long(24)]).toEqual([1, 48, 96, shard.length - 200]);
  const recordAt = (at: number) => shard.subarray(long(2) + at * 48, long(2) + (at + 1) * 48);
  const xorbs: { hash: string; chunks: { hash: string; start: number; length: number }[] }[] = [];
  let at = 0;
  for (let head = recordAt(at); head.readUInt32LE(0) !== 0xffff_ffff; head = recordAt(at)) {
    const count = head.readUInt32LE(36);
    const chunks = Array.from({ length: count }, (_, chunk) => {
      const record = recordAt(at + 1 + chunk);
      return {
        hash: hashToHex(record.subarray(0, 32)),
        start: record.readUInt32LE(32),
        length: record.readUInt32LE(36),
      };
    });
    xorbs.push({ hash: hashToHex(head.subarray(0, 32)), chunks });
    at += 1 + count;
  }
  const entries = Array.from({ length: long(8) }, (_, entry) => {
    const from = long(7) + entry * 16;
    const record = recordAt(shard.readUInt32LE(from + 8) + 1 + shard.readUInt32LE(from + 12));
    return { key: shard.readBigUInt64LE(from), found: record.readBigUInt64LE(0) };
  });
  return { xorbs, entries, expires: long(14), key: footer.subarray(72, 104) };
}

describe('chunks of a file that a repository has', () => {
  let hub: TestHub;
  let token: XetToken;
  beforeEach(async () => {
    hub = await startReading();
    await commitFile(hub, 'alice', 'alice/secret', CONTENT);
    await findOutChunks(hub);
    token = await writeToken(hub, 'alice', 'alice/secret');
  });

  test('are listed with their xorb for an hour, whatever the prefix', async () => {
    for (const prefix of ['default', 'default-merkledb']) {
      const answer = await askFor(token, FIRST?.hash, prefix);
      expect(answer.status).toBe(200);
      const { xorbs, entries, expires, key } = readListed(Buffer.from(await answer.arrayBuffer()));
      expect(xorbs.map(({ hash }) => hash)).toEqual([OLD.hash]);
      let start = 0;
      for (const [at, { hash, length }] of OLD.chunks.entries()) {
        expect(xorbs[0]?.chunks[at]).toEqual({ hash: hashToHex(hash), start, length });
        start += length;
      }
      expect(entries.length).toBe(OLD.chunks.length);
      expect(entries.every(({ key: own, found }) => own === found)).toBe(true);
      expect(entries.map(({ key: own }) => own)).toEqual(
        entries.map(({ key: own }) => own).sort((a, b) => (a < b ? -1 : 1)),
      );
      expect(expires).toBe(Math.floor(hub.clock.now() / 1000) + 3600);
      expect(key.every((byte) => byte === 0)).toBe(true);
    }
  });

  test('become parts of a new file without being sent', async () => {
    const changed = xorbOf(chunksOf(bytesOf(200_000, 'a change')));
    const [middle, all] = [Math.floor(OLD.chunks.length / 2), OLD.chunks.length];
    const file = fileOf(
      { xorb: OLD, start: 0, end: middle },
      { xorb: changed, start: 0, end: changed.chunks.length },
      { xorb: OLD, start: middle + 1, end: all },
    );
    await sendXorb(token, changed);
    expect(await lastLine(token, shardOf([file], [changed]))).toEqual({ type: 'result', result: 1 });
    const files = hub.database.read.selectFrom('repo_files').select('sha256').where('sha256', '=', file.sha256);
    expect(await files.execute()).toHaveLength(1);
    const held = await hub.database.read.selectFrom('xorbs').select('hash').execute();
    expect(held.map(({ hash }) => hash)).toEqual([changed.hash]);
  });

  test('are refused to who does not prove to know them', async () => {
    const file = fileOf({ xorb: OLD, start: 0, end: 2 });
    const shard = shardOf([file]);
    const proofAt = shard.indexOf(Buffer.alloc(32, 0xff)) - 2 * 48;
    shard.fill(7, proofAt, proofAt + 32);
    expect(await lastLine(token, shard)).toMatchObject({ type: 'error', message: expect.stringContaining(OLD.hash) });
    const beyond = fileOf({ xorb: OLD, start: 0, end: OLD.chunks.length });
    const longer = { ...beyond, terms: [{ xorb: OLD, start: 0, end: OLD.chunks.length + 1 }] };
    expect(await lastLine(token, shardOf([longer]))).toMatchObject({ type: 'error' });
  });

  test('are not listed as new xorbs, which must have been uploaded', async () => {
    const file = fileOf({ xorb: OLD, start: 0, end: 2 });
    expect(await lastLine(token, shardOf([file], [OLD]))).toMatchObject({ type: 'error' });
  });

  test('are unknown to other repositories, of the same owner too, and cannot be used there', async () => {
    const tokens = [await writeToken(hub, 'alice', 'alice/open'), await writeToken(hub, 'bob', 'bob/open')];
    for (const other of tokens) {
      const unknown = await askFor(other, bytesOf(32));
      const known = await askFor(other, FIRST?.hash);
      expect([known.status, await known.text()]).toEqual([404, await unknown.text()]);
      const file = fileOf({ xorb: OLD, start: 0, end: 2 });
      expect(await lastLine(other, shardOf([file]))).toMatchObject({ type: 'error' });
    }
  });

  test('are told to nobody else: by tokens to read, of another address, or of an owner who lost the repository', async () => {
    const read = (await (await askToken(hub, 'alice', 'models/alice/secret/xet-read-token/main')).json()) as XetToken;
    expect((await askFor(read, FIRST?.hash)).status).toBe(403);
    const bobs = await writeToken(hub, 'bob', 'bob/open');
    expect((await askFor({ ...bobs, casUrl: token.casUrl }, FIRST?.hash)).status).toBe(401);
    expect((await askFor({ ...token, accessToken: tokenOf('alice') }, FIRST?.hash)).status).toBe(401);
    hub.clock.advance(60 * MINUTE);
    expect((await askFor(token, FIRST?.hash)).status).toBe(401);
  });

  test('are told to who proposes changes to what is public, until it is private', async () => {
    await commitFile(hub, 'alice', 'alice/open', CONTENT);
    hub.clock.advance(MINUTE);
    const bobs = await writeToken(hub, 'bob', 'alice/open', '?create_pr=1');
    expect((await askFor(bobs, FIRST?.hash)).status).toBe(200);
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/open', settings: { private: true } });
    expect((await askFor(bobs, FIRST?.hash)).status).toBe(404);
  });

  test('are unknown, and cannot be used, once the file is deleted', async () => {
    const file = fileOf({ xorb: OLD, start: 0, end: 3 });
    expect((await askFor(token, FIRST?.hash)).status).toBe(200);
    await deleteLargeFile({
      ...hub.as('alice'),
      type: 'model',
      repo: 'alice/secret',
      sha: (await shaOfFile(hub)) ?? '',
    });
    expect((await askFor(token, FIRST?.hash)).status).toBe(404);
    expect(await lastLine(token, shardOf([file]))).toMatchObject({ type: 'error' });
  });
});

const shaOfFile = async (hub: TestHub): Promise<string | undefined> =>
  (await hub.database.read.selectFrom('repo_files').select('sha256').execute())[0]?.sha256;

test('of a large file, the xorbs from the chunk on are listed', async () => {
  const hub = await startReading();
  await commitFile(hub, 'alice', 'alice/open', CONTENT);
  await findOutChunks(hub);
  // As if two xorbs were full.
  const parts = [OLD.chunks.slice(0, 10), OLD.chunks.slice(10, 20), OLD.chunks.slice(20)];
  const sha256 = (await shaOfFile(hub)) ?? '';
  const asked = OLD.chunks[15]?.hash ?? new Uint8Array();
  await hub.database.transaction(async (tx) => {
    await tx.deleteFrom('xet_file_xorbs').execute();
    let [first_chunk, first_byte] = [0, 0];
    for (const chunks of parts) {
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
      const xorb = {
        sha256,
        first_chunk,
        chunks: chunks.length,
        first_byte,
        bytes,
        hash: hashToHex(xorbHash([...chunks])),
      };
      await tx.insertInto('xet_file_xorbs').values(xorb).execute();
      first_chunk += chunks.length;
      first_byte += bytes;
    }
    await tx
      .insertInto('xet_file_chunks')
      .values({ chunk_hash: hashToHex(asked), sha256, chunk: 15 })
      .execute();
  });
  const token = await writeToken(hub, 'alice', 'alice/open');
  const listed = async (hash: Uint8Array | undefined) =>
    readListed(Buffer.from(await (await askFor(token, hash)).arrayBuffer())).xorbs.map(({ chunks }) => chunks.length);
  expect(await listed(FIRST?.hash)).toEqual([10, 10, parts[2]?.length]);
  expect(await listed(asked)).toEqual([10, parts[2]?.length]);

  const file = fileOf(
    { xorb: xorbOf(parts[1] ?? []), start: 3, end: 9 },
    { xorb: xorbOf(parts[2] ?? []), start: 0, end: 4 },
  );
  expect(await lastLine(token, shardOf([file]))).toEqual({ type: 'result', result: 1 });
});

test('clients ask for chunks whose hash, as a number, has ten zeros at its end in the last eight bytes', () => {
  const hash = bytesOf(32);
  for (const [number, isAsked] of [
    [0n, true],
    [1024n, true],
    [5n * 2n ** 40n, true],
    [1n, false],
    [512n, false],
    [2n ** 63n + 3n, false],
  ] as const) {
    hash.writeBigUInt64LE(number, 24);
    expect([number, isAskedFor(hash)]).toEqual([number, isAsked]);
  }
});

test('without the setting no chunk is found', async () => {
  const hub = await startReading({});
  await commitFile(hub, 'alice', 'alice/open', CONTENT);
  await findOutChunks(hub);
  expect((await askFor(await writeToken(hub, 'alice', 'alice/open'), FIRST?.hash)).status).toBe(404);
});
