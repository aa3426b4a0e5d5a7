import { randomBytes } from 'node:crypto';
import {
  type BlobName,
  type Bytes,
  type MultipartUploads,
  type PartTag,
  unknownUpload,
  wrongParts,
} from '../blob-store.ts';
import { counted, verified, verify } from '../verified.ts';
import { leftoversOf } from './s3-leftovers.ts';
import type { S3Multipart, UploadLocation } from './s3-multipart.ts';
import { bytesOf, NO_BODY, requireStatus, type S3Requests } from './s3-requests.ts';

const MEBIBYTE = 1024 * 1024;
/** The maximum size of an object that S3 accepts or copies in one request. */
export const MAX_SINGLE_BYTES = 5 * 1024 * MEBIBYTE;
/** The part size of a blob that arrives as one stream; S3 allows 10,000 parts. */
const STREAM_PART_BYTES = 64 * MEBIBYTE;

interface Options {
  readonly s3: S3Requests;
  readonly multipart: S3Multipart;
  readonly keyOf: (sha256: string) => string;
}

/** Returns a new key for bytes that have no name yet. */
export const temporaryKey = (): string => `uploads/${randomBytes(16).toString('hex')}`;

/**
 * Multipart uploads to S3. The parts are joined under a temporary key, verified there, and then copied to the key that
 * contains their SHA-256.
 */
export function createS3Parts({ s3, multipart, keyOf }: Options) {
  const { begin, putPart, join, abort, copy, deleteObject } = multipart;

  const uploads: MultipartUploads = {
    begin: async () => formatUploadId(await begin(temporaryKey())),
    put: (upload, { number, size }, bytes) => putPart(parseUploadId(upload), number, size, counted(size, bytes)),

    async complete(upload, blob, parts) {
      const location = parseUploadId(upload);
      await join(location, parts, wrongParts);
      try {
        const answer = await s3.send({ method: 'GET', key: location.key, payloadHash: NO_BODY });
        await verify(blob, bytesOf(await requireStatus(answer, 200)));
        await copy(location.key, blob);
      } finally {
        await deleteObject(location.key);
      }
    },

    abort: (upload) => abort(parseUploadId(upload)),
  };

  return {
    ...uploads,

    /** Deletes uploads that began before a time, and objects that were joined but never copied to their place. */
    async deleteLeftovers(before: number): Promise<void> {
      for await (const { key, uploadId } of leftoversOf(s3, before))
        await (uploadId === undefined ? deleteObject(key) : abort({ key, id: uploadId }));
    },

    /** Stores a blob that arrives as one stream and is too large for a single request. */
    async putWhole(blob: BlobName, bytes: Bytes): Promise<void> {
      const location = await begin(keyOf(blob.sha256));
      const takeNext = splitBytes(verified(blob, bytes));
      const tags: PartTag[] = [];
      try {
        for (let remaining = blob.size; remaining > 0; remaining -= STREAM_PART_BYTES) {
          const [number, size] = [tags.length + 1, Math.min(remaining, STREAM_PART_BYTES)];
          tags.push({ number, etag: await putPart(location, number, size, takeNext(size)) });
        }
        await join(location, tags);
      } catch (error) {
        await abort(location);
        throw error;
      }
    },
  };
}

/** Splits a stream: each call returns the next `size` bytes. */
function splitBytes(bytes: AsyncIterator<Uint8Array>) {
  let rest: Uint8Array = new Uint8Array();
  return async function* takeNext(size: number): AsyncGenerator<Uint8Array, void> {
    for (let remaining = size; remaining > 0; ) {
      if (rest.length === 0) {
        const next = await bytes.next();
        if (next.done) return;
        rest = next.value;
      }
      const piece = rest.subarray(0, remaining);
      rest = rest.subarray(piece.length);
      remaining -= piece.length;
      yield piece;
    }
  };
}

const formatUploadId = ({ key, id }: UploadLocation): string => `${key} ${id}`;

function parseUploadId(upload: string): UploadLocation {
  const [, key, id] = /^(uploads\/[0-9a-f]{32}) (\S+)$/.exec(upload) ?? [];
  if (key === undefined || id === undefined) throw unknownUpload();
  return { key, id };
}
