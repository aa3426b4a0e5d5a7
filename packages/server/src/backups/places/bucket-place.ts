import { PassThrough } from 'node:stream';
import { BlobError } from '../../platform/blobs/blob-store.ts';
import { createS3Files } from '../../platform/blobs/s3/s3-files.ts';
import type { S3Bucket } from '../../platform/blobs/s3/s3-requests.ts';
import { errorText } from '../../platform/error-text.ts';
import type { BackupPlace } from './place.ts';

/** Keeps backups in a bucket, under keys that begin with a prefix. */
export function createBucketPlace(s3: S3Bucket, prefix: string): BackupPlace {
  // Signatures need the real time.
  const files = createS3Files(s3, () => Date.now());
  const keyOf = (name: string) => `${prefix}${name}`;

  return {
    name: `s3://${s3.bucket}/${prefix}`,

    async write(name, work) {
      const through = new PassThrough();
      const [worked, written] = await Promise.allSettled([work(through), files.write(keyOf(name), through)]);
      // If the bucket fails, the work fails as well, because nobody reads its output.
      if (written.status === 'rejected' && written.reason instanceof BlobError) throw told(written.reason);
      if (worked.status === 'rejected') throw worked.reason;
      if (written.status === 'rejected') throw written.reason;
      return { result: worked.value, bytes: written.value };
    },

    sizeOf: (name) => files.sizeOf(keyOf(name)).catch(tell),
    clear: (name) => files.abortUploads(keyOf(name)).catch(tell),
    delete: (name) => files.delete(keyOf(name)).catch(tell),
    close: () => files.close(),
  };
}

/** The messages of the storage of large files are for those who upload; an operator needs the reason. */
export const told = (error: BlobError): Error =>
  new Error(`The bucket for backups failed: ${errorText(error.cause ?? error)}`, { cause: error });

function tell(error: unknown): never {
  throw error instanceof BlobError ? told(error) : error;
}
