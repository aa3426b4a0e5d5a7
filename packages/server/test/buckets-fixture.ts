import { changeBucketFiles } from '@moonbase/client/content';
import { createBucket } from '@moonbase/client/repositories';
import { onTestFinished } from 'vitest';
import { type TestHub, tokenOf } from './harness.ts';
import { startWithRepos } from './large-files-fixture.ts';
import { askToken, type TestFile, uploadByXet, type XetToken } from './xet-client.ts';

/** Starts a hub with alice and bob, each with a public bucket `data` and a private one `hidden`. */
export async function startWithBuckets(settings: Readonly<Record<string, string>> = {}): Promise<TestHub> {
  const hub = await startWithRepos(settings);
  onTestFinished(() => hub[Symbol.asyncDispose]());
  for (const user of ['alice', 'bob']) {
    await createBucket({ ...hub.as(user), repo: `${user}/data` });
    await createBucket({ ...hub.as(user), repo: `${user}/hidden`, private: true });
  }
  return hub;
}

/** Returns a Xet token for a bucket. */
export async function tokenFor(
  hub: TestHub,
  user: string,
  bucket: string,
  direction: 'read' | 'write' = 'write',
): Promise<XetToken> {
  const answer = await askToken(hub, user, `buckets/${bucket}/xet-${direction}-token`);
  if (answer.status !== 200) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as XetToken;
}

/** Sends bytes to a bucket through Xet, without a SHA-256. */
export const sendBytes = async (hub: TestHub, user: string, bucket: string, bytes: Uint8Array): Promise<TestFile> =>
  uploadByXet(await tokenFor(hub, user, bucket), bytes, { areNamed: false });

export const linesOf = (operations: readonly object[]): Blob =>
  new Blob(operations.map((operation) => `${JSON.stringify(operation)}\n`));

/** Adds, copies and deletes files. */
export const change = (hub: TestHub, user: string, bucket: string, ...operations: readonly object[]) =>
  changeBucketFiles({ ...hub.as(user), repo: bucket, operations: linesOf(operations) });

/** Sends a batch as it is. */
export const postLines = (hub: TestHub, user: string, bucket: string, body: string): Promise<Response> =>
  fetch(`${hub.url}/api/buckets/${bucket}/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(user)}`, 'content-type': 'application/x-ndjson' },
    body,
  });

export const add = (
  path: string,
  { hash }: Pick<TestFile, 'hash'>,
  mtime = 1_700_000_000_123,
  contentType?: string,
) => ({
  ...{ type: 'addFile', path, xetHash: hash, mtime, contentType },
});

/** Sends bytes to a bucket and gives them a path. */
export async function putFile(hub: TestHub, user: string, bucket: string, path: string, bytes: Uint8Array) {
  const file = await sendBytes(hub, user, bucket, bytes);
  await change(hub, user, bucket, add(path, file));
  return file;
}

/** Requests a file of a bucket. */
export const getFile = (
  hub: TestHub,
  user: string | undefined,
  path: string,
  { method = 'GET', ...headers }: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${hub.url}/buckets/${path}`, {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(user !== undefined && { authorization: `Bearer ${tokenOf(user)}` }) },
  });

/** Returns the blobs that a bucket has. */
export async function grantsOf({ database: { read } }: TestHub, bucketId: string): Promise<string[]> {
  const rows = await read.selectFrom('repo_files').select('sha256').where('repo_id', '=', bucketId).execute();
  return rows.map(({ sha256 }) => sha256).sort();
}
