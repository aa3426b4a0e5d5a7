import type { Readable } from 'node:stream';
import {
  type BlobName,
  type BlobStore,
  type ByteRange,
  type Bytes,
  type LentBytes,
  missingBlob,
} from '../blob-store.ts';
import { verified } from '../verified.ts';
import { lasting } from './gather.ts';
import { createS3Multipart } from './s3-multipart.ts';
import { createS3Parts, MAX_SINGLE_BYTES } from './s3-parts.ts';
import { createS3Requests, NO_BODY, requireStatus, type S3Bucket } from './s3-requests.ts';
import { createS3Staging } from './s3-staging.ts';
import { signUrl } from './signature.ts';

const keyOf = (sha256: string): string => `blobs/${sha256.slice(0, 2)}/${sha256}`;

/** Stores blobs in an S3-compatible bucket, under keys that end with their SHA-256. */
export function createS3Store(bucket: S3Bucket, now: () => number): BlobStore {
  const s3 = createS3Requests(bucket, now);
  const multipart = createS3Multipart(s3, keyOf);
  const parts = createS3Parts({ s3, multipart, keyOf });

  async function put(blob: BlobName, sent: Bytes | LentBytes): Promise<void> {
    const bytes = lasting(sent);
    if (blob.size > MAX_SINGLE_BYTES) return parts.putWhole(blob, bytes);
    const answer = await s3.send({
      method: 'PUT',
      key: keyOf(blob.sha256),
      headers: { 'content-length': String(blob.size) },
      body: blob.size === 0 ? '' : verified(blob, bytes),
      // The bucket verifies this hash as well.
      payloadHash: blob.sha256,
    });
    await (await requireStatus(answer, 200)).body.dump();
  }

  async function get(sha256: string, range?: ByteRange): Promise<Readable> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` };
    const answer = await s3.send({
      ...{ method: 'GET', key: keyOf(sha256), payloadHash: NO_BODY },
      ...(headers && { headers }),
    });
    if (answer.status === 404) {
      await answer.body.dump();
      throw missingBlob();
    }
    return (await requireStatus(answer, range ? 206 : 200)).body;
  }

  return {
    parts,
    put,
    stage: createS3Staging({ multipart, put }),

    get,
    lend: get,

    async head(sha256) {
      const answer = await s3.send({ method: 'HEAD', key: keyOf(sha256), payloadHash: NO_BODY });
      await answer.body.dump();
      if (answer.status === 404) return undefined;
      const { headers } = await requireStatus(answer, 200);
      return { size: Number(headers['content-length']) };
    },

    async delete(sha256) {
      const answer = await s3.send({ method: 'DELETE', key: keyOf(sha256), payloadHash: NO_BODY });
      await (await requireStatus(answer, 200, 204, 404)).body.dump();
    },

    signedUrl(sha256, { seconds, contentType, contentDisposition }) {
      const url = s3.urlOf(keyOf(sha256), {
        'response-content-type': contentType,
        'response-content-disposition': contentDisposition,
      });
      return signUrl(bucket, 'GET', url, seconds, now());
    },

    sweep: ({ uploadsOlderThanMs }) => parts.deleteLeftovers(now() - uploadsOlderThanMs),

    async [Symbol.asyncDispose]() {
      await s3.close();
    },
  };
}
