import type { LargeFiles } from '../content/index.ts';
import type { Bytes, LentBytes } from '../platform/blobs/blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { XetFault } from '../platform/xet/xet-fault.ts';
import type { Repository } from '../repositories/index.ts';
import type { CutIntoChunks } from './reading/chunk-lists.ts';
import { putUpload, renewUploads } from './uploads-store.ts';

/** The time that a client has to give a file a path after it was sent. */
export const UPLOAD_MS = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly largeFiles: Pick<LargeFiles, 'grantHeld' | 'hold'>;
  readonly cutIntoChunks: CutIntoChunks;
}

/** A file as a shard describes it. */
interface SentFile {
  readonly hash: string;
  /** Undefined if the client did not say it. */
  readonly sha256: string | undefined;
  readonly size: number;
}

/**
 * Files that are sent to buckets: clients do not say their SHA-256, and name them by their Xet hash as soon as the shard
 * is accepted.
 */
export function createSentFiles({ database, clock, largeFiles, cutIntoChunks }: Dependencies) {
  return {
    /** Returns those of some files that the bucket does not have yet, and keeps the others for another day. */
    async missing<F extends SentFile>({ id }: Repository, files: readonly F[]): Promise<F[]> {
      const byHash = new Map(files.map((file) => [file.hash, file]));
      const known = await database.transaction((tx) => renewUploads(tx, id, [...byHash.keys()], clock.now()));
      for (const hash of known) byHash.delete(hash);
      return [...byHash.values()];
    },

    /**
     * Makes a file from its bytes; returns its hash. Without a hash of the client, the file goes by its own. The hub cuts every file, also one that it has for another repository, so that nobody
     * learns from the time which files others have.
     */
    async make(
      { userId, repoId }: { readonly userId: string; readonly repoId: string },
      { hash, sha256, size }: Pick<SentFile, 'size'> & Partial<SentFile>,
      bytes: Bytes | LentBytes,
    ): Promise<string> {
      const blob = await largeFiles.hold({
        ...{ bytes, maxBytes: size, until: clock.now() + UPLOAD_MS },
        onStored: async (_tx, stored) => stored,
      });
      if (sha256 !== undefined && sha256 !== blob.sha256)
        throw new XetFault(`The file ${hash} has another SHA-256 than the shard says`);
      const fileHash = await cutIntoChunks(blob, (whole) => whole);
      await database.transaction(async (tx) => {
        await largeFiles.grantHeld(tx, { repoId, userId, ...blob });
        await putUpload(tx, {
          ...{ repo_id: repoId, hash: hash ?? fileHash, sha256: blob.sha256, size: blob.size },
          ...{ file_hash: fileHash, uploaded_at: clock.now() },
        });
      });
      return fileHash;
    },
  };
}

export type SentFiles = ReturnType<typeof createSentFiles>;
