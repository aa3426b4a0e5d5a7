import type { Readable } from 'node:stream';
import type { BlobName, BlobStore, ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Repository } from '../../repositories/index.ts';
import { bytesOfRepo, copyGrants, deleteGrants, type FilePlace, findGranted, namePlaces } from './grant-store.ts';
import { listLargeFiles } from './listing.ts';
import { claimRoom, type Quotas, requireRoom } from './quotas.ts';
import { createReceiving } from './receiving.ts';
import { createServing } from './serving.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: BlobStore;
  readonly settings: Quotas & { readonly maxGibibytes: number };
}

export type LargeFiles = ReturnType<typeof createLargeFiles>;

/** The large files of repositories: who may serve which, and how they come and go. */
export function createLargeFiles({ database, clock, logger, store, settings }: Dependencies) {
  return {
    ...createReceiving({ database, clock, store, quotas: settings }),
    serve: createServing({ logger, store }),
    list: listLargeFiles,
    bytesOf: bytesOfRepo,
    /** The largest size of a file, in bytes. */
    maxBytes: settings.maxGibibytes * 1024 ** 3,

    /** Those of some files whose bytes a repository has, sound and whole. */
    async find(
      executor: ReadExecutor,
      repoId: string,
      sha256s: readonly string[],
    ): Promise<Map<string, { readonly size: number }>> {
      const found = sha256s.length === 0 ? [] : await findGranted(executor, repoId, sha256s);
      return new Map(found.filter(({ sound }) => sound).map(({ sha256, size }) => [sha256, { size }]));
    },

    /** Returns a range of a file for the hub itself to read; undefined where the repository does not have its bytes. */
    async range(
      executor: ReadExecutor,
      repoId: string,
      { sha256, size }: BlobName,
      range: ByteRange,
    ): Promise<Readable | undefined> {
      const [file] = await findGranted(executor, repoId, [sha256]);
      return file?.sound && file.size === size ? store.get(sha256, range) : undefined;
    },

    /** Throws 413 where the owner of a repository may not have so many bytes more. */
    requireRoom: (executor: ReadExecutor, repo: Repository, bytes: number): Promise<void> =>
      requireRoom(executor, settings, repo, bytes),

    /** Gives a repository all files of another one. Throws 413 where its owner may not have so much. */
    async copyAll(tx: Executor, fromRepoId: string, { repo, userId }: { repo: Repository; userId: string }) {
      await claimRoom(tx, settings, repo, await bytesOfRepo(tx, fromRepoId));
      await copyGrants(tx, fromRepoId, { repo_id: repo.id, pusher_id: userId, pushed_at: clock.now() });
    },

    /** Notes where files were committed, for the list of large files. */
    namePlaces: (tx: Executor, repoId: string, places: readonly FilePlace[]): Promise<void> =>
      namePlaces(tx, repoId, places),

    /** Takes files from a repository; returns those that it had. The bytes stay for a while. */
    remove: (tx: Executor, repoId: string, sha256s: readonly string[]): Promise<string[]> =>
      deleteGrants(tx, repoId, sha256s),
  };
}
