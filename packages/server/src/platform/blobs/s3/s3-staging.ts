import type { BlobName, Bytes, PartTag, StagedBlob } from '../blob-store.ts';
import { createNaming } from '../verified.ts';
import type { S3Multipart, UploadLocation } from './s3-multipart.ts';
import { temporaryKey } from './s3-parts.ts';

/** The part size of staged bytes, at least 5 MiB; fewer bytes stay in memory. */
const PART_BYTES = 8 * 1024 * 1024;

interface Options {
  readonly multipart: S3Multipart;
  readonly put: (blob: BlobName, bytes: Bytes) => Promise<void>;
}

async function* each(pieces: readonly Uint8Array[]): Bytes {
  yield* pieces;
}

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

  return async (maxBytes: number, bytes: Bytes): Promise<StagedBlob> => {
    const naming = createNaming(maxBytes);
    const tags: PartTag[] = [];
    let location: UploadLocation | undefined;
    let pieces: Uint8Array[] = [];
    let gathered = 0;

    async function sendPart(to: UploadLocation): Promise<void> {
      const number = tags.length + 1;
      tags.push({ number, etag: await multipart.putPart(to, number, gathered, each(pieces)) });
      [pieces, gathered] = [[], 0];
    }

    try {
      for await (const piece of naming.pass(bytes)) {
        pieces.push(piece);
        gathered += piece.length;
        if (gathered < PART_BYTES) continue;
        location ??= await multipart.begin(temporaryKey());
        await sendPart(location);
      }
      const name = naming.name();
      if (location === undefined) return { name, commit: () => put(name, each(pieces)), discard: async () => {} };
      if (gathered > 0) await sendPart(location);
      return await finish(location, tags, name);
    } catch (error) {
      if (location) await multipart.abort(location);
      throw error;
    }
  };
}
