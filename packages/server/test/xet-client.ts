import { createHash } from 'node:crypto';
import { fileHash, hashToHex, verificationHash, xorbHash } from '@huggingface/xetchunk-wasm';
import { hashOfText } from '../src/platform/xet/hash-text.ts';
import { SHARD_TAG } from '../src/platform/xet/shard.ts';
import { type TestHub, tokenOf } from './harness.ts';
import { encodeLz4Frame, groupBytes } from './lz4-encoder.ts';
import { chunksOf, type TestChunk } from './xet-chunker.ts';

/*
 * A client of Xet for tests. Hashes and the bounds of chunks come from the library of @huggingface/hub, so that the hub
 * is compared with another implementation.
 */

export interface TestXorb {
  readonly hash: string;
  readonly chunks: readonly TestChunk[];
  readonly bytes: Buffer;
}

export interface TestTerm {
  readonly xorb: TestXorb;
  readonly start: number;
  readonly end: number;
}

export interface TestFile {
  readonly hash: string;
  readonly sha256: string;
  readonly terms: readonly TestTerm[];
}

/** Returns a chunk as a part of a xorb; scheme 0: as it is, 1: LZ4, 2: LZ4 of grouped bytes. */
export function encodeChunk({ bytes }: Pick<TestChunk, 'bytes'>, scheme = 0): Buffer {
  const data = scheme === 0 ? bytes : encodeLz4Frame(scheme === 1 ? bytes : groupBytes(bytes));
  const header = Buffer.alloc(8);
  header.writeUIntLE(data.length, 1, 3);
  header.writeUInt8(scheme, 4);
  header.writeUIntLE(bytes.length, 5, 3);
  return Buffer.concat([header, data]);
}

export const xorbOf = (chunks: readonly TestChunk[], scheme = 0): TestXorb => ({
  hash: hashToHex(xorbHash([...chunks])),
  chunks,
  bytes: Buffer.concat(chunks.map((chunk) => encodeChunk(chunk, scheme))),
});

const chunksOfTerm = ({ xorb, start, end }: TestTerm): readonly TestChunk[] => xorb.chunks.slice(start, end);

/** Returns a file that consists of some chunks. */
export function fileOf(...terms: readonly TestTerm[]): TestFile {
  const chunks = terms.flatMap(chunksOfTerm);
  const sha256 = createHash('sha256');
  for (const { bytes } of chunks) sha256.update(bytes);
  return { hash: hashToHex(fileHash(chunks)), sha256: sha256.digest('hex'), terms };
}

export const wholeXorb = (xorb: TestXorb): TestTerm => ({ xorb, start: 0, end: xorb.chunks.length });

const record = (hash: Uint8Array, ...numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(48);
  bytes.set(hash);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number >>> 0, 32 + at * 4);
  return bytes;
};
const BOOKEND = record(Buffer.alloc(32, 0xff));
const sum = (chunks: readonly TestChunk[]): number => chunks.reduce((total, { length }) => total + length, 0);

export const proofOf = (term: TestTerm): Uint8Array => verificationHash(chunksOfTerm(term).map(({ hash }) => hash));

/** Returns a shard as clients upload it: to buckets without the SHA-256 of files. */
export function shardOf(files: readonly TestFile[], xorbs: readonly TestXorb[] = [], areNamed = true): Buffer {
  const version = Buffer.alloc(16);
  version.writeBigUInt64LE(2n);
  return Buffer.concat([
    ...[SHARD_TAG, version],
    ...files.flatMap(({ hash, sha256, terms }) => [
      record(hashOfText(hash), areNamed ? 0xc000_0000 : 0x8000_0000, terms.length),
      ...terms.map((term) => {
        const size = sum(chunksOfTerm(term));
        return record(hashOfText(term.xorb.hash), 0, size, term.start, term.end);
      }),
      ...terms.map((term) => record(proofOf(term))),
      ...(areNamed ? [record(hashOfText(sha256))] : []),
    ]),
    BOOKEND,
    ...xorbs.flatMap(({ hash, chunks }) => [
      record(hashOfText(hash), 0, chunks.length, sum(chunks), 0),
      ...chunks.map((chunk, at) => record(chunk.hash, sum(chunks.slice(0, at)), chunk.length)),
    ]),
    BOOKEND,
  ]);
}

export interface XetToken {
  readonly accessToken: string;
  readonly exp: number;
  readonly casUrl: string;
}

const asUser = (user: string) => ({ authorization: `Bearer ${tokenOf(user)}` });

export const askToken = (hub: TestHub, user: string, path: string): Promise<Response> =>
  fetch(`${hub.url}/api/${path}`, { headers: asUser(user) });

export async function writeToken(hub: TestHub, user: string, repo: string, query = ''): Promise<XetToken> {
  const answer = await askToken(hub, user, `models/${repo}/xet-write-token/main${query}`);
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as XetToken;
}

const post = ({ casUrl, accessToken }: XetToken, path: string, body: Uint8Array): Promise<Response> =>
  fetch(casUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: new Uint8Array(body),
  });

export const sendXorb = (token: XetToken, { hash, bytes }: Pick<TestXorb, 'hash' | 'bytes'>): Promise<Response> =>
  post(token, `/v1/xorbs/default/${hash}`, bytes);

export const sendShard = (token: XetToken, shard: Uint8Array, version = 2): Promise<Response> =>
  post(token, `/v${version}/shards`, shard);

/** Returns the lines of an answer to a shard. */
export async function linesOf(answer: Response): Promise<{ type: string; message?: string }[]> {
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The shard was answered by ${answer.status}: ${text}`);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; message?: string });
}

/** Sends a shard; returns the last line of the answer. */
export const lastLine = async (token: XetToken, shard: Uint8Array) =>
  (await linesOf(await sendShard(token, shard))).at(-1);

/** Uploads a file of one xorb. */
export async function uploadByXet(
  token: XetToken,
  bytes: Uint8Array,
  { scheme = 1, areNamed = true }: { readonly scheme?: number; readonly areNamed?: boolean } = {},
): Promise<TestFile> {
  const xorb = xorbOf(chunksOf(bytes), scheme);
  const file = fileOf(wholeXorb(xorb));
  const sent = await sendXorb(token, xorb);
  if (sent.status !== 200) throw new Error(`The xorb was answered by ${sent.status}: ${await sent.text()}`);
  const last = await lastLine(token, shardOf([file], [xorb], areNamed));
  if (last?.type !== 'result') throw new Error(JSON.stringify(last));
  return file;
}
