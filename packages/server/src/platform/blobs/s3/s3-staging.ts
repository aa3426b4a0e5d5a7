import type { BlobName, Bytes, LentBytes, PartTag, StagedBlob } from '../blob-store.ts';
import { createNaming, looking } from '../verified.ts';
import { gather, lasting } from './gather.ts';
import type { S3Multipart, UploadLocation } from './s3-multipart.ts';
import { temporaryKey } from './s3-parts.ts';

/** The part size of staged bytes, at least 5 MiB; fewer bytes stay in memory. */
const PART_BYTES = 8 * 1024 * 1024;

interface Options {
  readonly multipart: S3Multipart;
  readonly put: (blob: BlobName, bytes: Bytes) => Promise<void>;
}

async function* none(): Bytes {}

/** Returns the function that stores bytes under a temporary key until they are given their name. */
export function createS3Staging({ multipart, put }: Options) {
  async function finish(location: UploadLocation, tags: readonly PartTag[], name: BlobName): Promise<StagedBlob> {
    await multipart.join(location, tags);
    const discard = () => multipart.deleteObject(location.key);
    return {
      name,
      discard,
      async commit() {
        await multipart.copy(location.key, name);
        await discard();
      },
    };
  }

  return async (maxBytes: number, bytes: Bytes | LentBytes): Promise<StagedBlob> => {
    const naming = createNaming(maxBytes);
    const tags: PartTag[] = [];
    let location: UploadLocation | undefined;
    let few = none;
    try {
      for await (const { size, again } of gather(looking(naming.look, lasting(bytes)), PART_BYTES)) {
        if (location === undefined && size < PART_BYTES) {
          few = again;
          continue;
        }
        location ??= await multipart.begin(temporaryKey());
        const number = tags.length + 1;
        tags.push({ number, etag: await multipart.putPart(location, number, size, again) });
      }
      const name = naming.name();
      if (location === undefined) return { name, commit: () => put(name, few()), discard: async () => {} };
      return await finish(location, tags, name);
    } catch (error) {
      if (location) await multipart.abort(location);
      throw error;
    }
  };
}
