import type { Bytes, PartTag } from '../blob-store.ts';
import { gather } from './gather.ts';
import { listUploads } from './s3-leftovers.ts';
import { createS3Multipart } from './s3-multipart.ts';
import { createS3Requests, NO_BODY, requireStatus, type S3Bucket } from './s3-requests.ts';

/** The bytes in memory at once; with 10,000 parts at most, a file has 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;

/**
 * Objects of a bucket under keys of the caller, whose length is not known before they are written. They exist once they are
 * whole. Throws a `BlobError` if the bucket fails.
 */
export function createS3Files(bucket: S3Bucket, now: () => number) {
  const s3 = createS3Requests(bucket, now);
  const multipart = createS3Multipart(s3, (key) => key);

  return {
    /** Returns the number of bytes. */
    async write(key: string, bytes: Bytes): Promise<number> {
      const location = await multipart.begin(key);
      const tags: PartTag[] = [];
      let total = 0;
      try {
        for await (const { size, again } of gather(bytes, PART_BYTES)) {
          const number = tags.length + 1;
          tags.push({ number, etag: await multipart.putPart(location, number, size, again) });
          total += size;
        }
        await multipart.join(location, tags);
        return total;
      } catch (error) {
        // A bucket that is away keeps the parts until `abortUploads`.
        await multipart.abort(location).catch(() => {});
        throw error;
      }
    },

    /** Returns the size of an object; undefined if it does not exist. */
    async sizeOf(key: string): Promise<number | undefined> {
      const answer = await s3.send({ method: 'HEAD', key, payloadHash: NO_BODY });
      await answer.body.dump();
      if (answer.status === 404) return undefined;
      return Number((await requireStatus(answer, 200)).headers['content-length']);
    },

    delete: (key: string): Promise<void> => multipart.deleteObject(key),

    /** Deletes the parts of writes of a key that did not end; none if the keys of the hub may not list uploads. */
    async abortUploads(key: string): Promise<void> {
      for await (const upload of listUploads(s3, key))
        if (upload.key === key && upload.uploadId !== undefined) await multipart.abort({ key, id: upload.uploadId });
    },

    close: () => s3.close(),
  };
}
