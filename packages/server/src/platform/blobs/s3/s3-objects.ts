import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BlobError } from '../blob-store.ts';
import { listObjects } from './s3-leftovers.ts';
import { MAX_SINGLE_BYTES } from './s3-parts.ts';
import { createS3Requests, NO_BODY, requireStatus, type S3Bucket } from './s3-requests.ts';

/** The time limit for the headers of a response: somebody waits for it. */
const HEADERS_MS = 20_000;

export type S3Objects = ReturnType<typeof createS3Objects>;

interface Limits {
  readonly headersMs?: number;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest('hex');
}

/** Objects of a bucket under keys of the caller, each written in one request. Throws a `BlobError` if the bucket fails. */
export function createS3Objects(bucket: S3Bucket, now: () => number, { headersMs = HEADERS_MS }: Limits = {}) {
  // Large objects on their way here take no connections from writes.
  const reads = createS3Requests(bucket, now);
  const writes = createS3Requests(bucket, now);

  return {
    /** Stores a file, which the bucket compares with its SHA-256. */
    async putFile(key: string, path: string): Promise<void> {
      const { size } = await stat(path);
      if (size > MAX_SINGLE_BYTES) throw new BlobError('full', 'A bucket takes at most 5 GiB in one piece');
      const answer = await writes.send({
        ...{ method: 'PUT', key, headersMs },
        headers: { 'content-length': String(size) },
        body: () => createReadStream(path),
        payloadHash: await sha256Of(path),
      });
      await (await requireStatus(answer, 200)).body.dump();
    },

    async putText(key: string, text: string): Promise<void> {
      const payloadHash = createHash('sha256').update(text).digest('hex');
      const answer = await writes.send({ method: 'PUT', key, body: text, payloadHash, headersMs });
      await (await requireStatus(answer, 200)).body.dump();
    },

    /** Returns the bytes of an object; undefined if it does not exist. */
    async get(key: string): Promise<Readable | undefined> {
      const answer = await reads.send({ method: 'GET', key, payloadHash: NO_BODY, headersMs });
      if (answer.status !== 404) return (await requireStatus(answer, 200)).body;
      await answer.body.dump();
      return undefined;
    },

    /** Copies an object within the bucket; returns false if it does not exist. */
    async copy(from: string, to: string): Promise<boolean> {
      const headers = { 'x-amz-copy-source': `/${writes.bucketName}/${from}` };
      const answer = await writes.send({ method: 'PUT', key: to, headers, payloadHash: NO_BODY });
      if (answer.status === 404) {
        await answer.body.dump();
        return false;
      }
      const text = await (await requireStatus(answer, 200)).body.text();
      // S3 sends the status before it copies, so that an error may follow in the body.
      if (text.includes('<Error>')) throw new BlobError('unavailable', 'The bucket did not copy an object');
      return true;
    },

    /** Deletes an object if it exists. */
    async delete(key: string): Promise<void> {
      const answer = await writes.send({ method: 'DELETE', key, payloadHash: NO_BODY, headersMs });
      await (await requireStatus(answer, 200, 204, 404)).body.dump();
    },

    /** Lists the objects under a prefix; none if the keys of the hub may not list. */
    list: (prefix: string) => listObjects(reads, prefix),

    async close(): Promise<void> {
      await Promise.all([reads.close(), writes.close()]);
    },
  };
}
