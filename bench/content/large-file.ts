import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { lfsBatch } from '@moonbase/client/large-files';
import type { BenchHub } from '../hub.ts';
import { load, requestBytes } from '../load.ts';

const BLOCK = 1024 * 1024;
const block = randomBytes(BLOCK);

/** A file that no hub has yet, made of random bytes that repeat each mebibyte. */
export interface LargeFile {
  readonly oid: string;
  readonly size: number;
  readonly chunks: () => Iterable<Buffer>;
}

export function largeFile(mebibytes: number): LargeFile {
  const first = Buffer.concat([randomBytes(16), block.subarray(16)]);
  function* chunks() {
    yield first;
    for (let at = 1; at < mebibytes; at++) yield block;
  }
  const hash = createHash('sha256');
  for (const chunk of chunks()) hash.update(chunk);
  return { oid: hash.digest('hex'), size: mebibytes * BLOCK, chunks };
}

/** Returns the URL to which the hub wants a large file of a model. */
export async function uploadUrl(
  hub: Pick<BenchHub, 'connection'>,
  repo: string,
  { oid, size }: LargeFile,
): Promise<string> {
  const answer = await lfsBatch({ ...hub.connection, repo, operation: 'upload', objects: [{ oid, size }] });
  const href = answer.objects[0]?.actions?.upload?.href;
  if (href === undefined) throw new Error('The hub wants no upload');
  return href;
}

/** Sends a file by PUT; returns mebibytes per second until the answer. */
export async function put(url: string, { size, chunks }: LargeFile): Promise<number> {
  const startedAt = performance.now();
  const sending = request(url, { method: 'PUT', headers: { 'content-length': size }, agent: false });
  const answered = once(sending, 'response');
  for (const chunk of chunks()) if (!sending.write(chunk)) await once(sending, 'drain');
  sending.end();
  const [answer] = await answered;
  answer.resume();
  await once(answer, 'end');
  if (answer.statusCode !== 200) throw new Error(`An upload was answered with ${answer.statusCode}`);
  return size / BLOCK / ((performance.now() - startedAt) / 1000);
}

/** Commits the pointer of an uploaded file to the main branch of a model. */
export async function commitPointer(hub: BenchHub, repo: string, path: string, { oid, size }: LargeFile) {
  const headers = { authorization: `Bearer ${hub.connection.accessToken}`, 'content-type': 'application/x-ndjson' };
  const lines = [
    { key: 'header', value: { summary: 'Add a large file' } },
    { key: 'lfsFile', value: { path, algo: 'sha256', oid, size } },
  ];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const next = () => requestBytes(hub.url, 'POST', `/api/models/${repo}/commit/main`, headers, body);
  await load({ url: hub.url, connections: 1, requests: 1, next });
}
