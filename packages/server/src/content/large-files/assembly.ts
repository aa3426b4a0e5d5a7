import type { Readable } from 'node:stream';
import type { BlobName, BlobStore, ByteRange } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { PULL_REQUEST, type Repository } from '../../repositories/index.ts';
import {
  adoptProposed,
  bytesForOwner,
  copyGrants,
  deleteGrants,
  type FilePlace,
  findGranted,
  forgetPlacesAt,
  recordPlaces,
  totalOfRepo,
} from './grant-store.ts';
import { createHolding } from './holding.ts';
import { listLargeFiles } from './listing.ts';
import { type ProposerId, proposerIn } from './proposers.ts';
import { adopt, claimRoom, type Quotas, requireRoom } from './quotas.ts';
import { createReceiving } from './receiving.ts';
import { createServing } from './serving.ts';
import { createSignedAccess, type FindRequester } from './signed-access.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: BlobStore;
  readonly settings: Quotas & { readonly maxGibibytes: number };
  readonly findRequester: FindRequester;
  readonly anonymousRead: boolean;
}

export type LargeFiles = ReturnType<typeof createLargeFiles>;

/** The large files of repositories: receiving, serving, listing and deleting them. */
export function createLargeFiles({ database, clock, logger, store, settings, ...signing }: Dependencies) {
  return {
    ...createSignedAccess({ read: database.read, ...signing }),
    proposerIn,
    ...createReceiving({ database, clock, store, quotas: settings }),
    ...createHolding({ database, clock, store }),
    serve: createServing({ logger, store }),
    list: listLargeFiles,
    totalOf: totalOfRepo,
    /** The maximum size of a file in bytes. */
    maxBytes: settings.maxGibibytes * 1024 ** 3,

    /** Returns the sizes of the given files that the repository has and whose bytes are sound. */
    async find(
      executor: ReadExecutor,
      repoId: string,
      sha256s: readonly string[],
    ): Promise<Map<string, { readonly size: number }>> {
      const found = sha256s.length === 0 ? [] : await findGranted(executor, repoId, sha256s);
      return new Map(found.filter(({ sound }) => sound).map(({ sha256, size }) => [sha256, { size }]));
    },

    /**
     * Returns a range of a file for the hub's own use; undefined if the repository does not have the file or its bytes.
     */
    async range(
      executor: ReadExecutor,
      repoId: string,
      { sha256, size }: BlobName,
      range: ByteRange,
    ): Promise<Readable | undefined> {
      const [file] = await findGranted(executor, repoId, [sha256]);
      return file?.sound && file.size === size ? store.get(sha256, range) : undefined;
    },

    /** Throws 413 if the additional bytes would exceed the quota of the repository's owner, or of whoever proposes them. */
    requireRoom: (
      executor: ReadExecutor,
      repo: Repository,
      bytes: number,
      proposerId: ProposerId = null,
    ): Promise<void> => requireRoom(executor, settings, { repo, proposerId }, bytes),

    /** Checks the same under a lock, so that concurrent transactions cannot exceed the quota together. */
    claimRoom: (tx: Executor, repo: Repository, added: () => Promise<number>): Promise<void> =>
      claimRoom(tx, settings, { repo, proposerId: null }, added),

    /** Checks the same for all files that a repository brings to another owner. */
    claimRoomFor: (tx: Executor, repo: Repository): Promise<void> =>
      claimRoom(tx, settings, { repo, proposerId: null }, () => bytesForOwner(tx, repo.id)),

    /** Gives a repository all files of another one. Throws 413 if the files would exceed the owner's quota. */
    async copyAll(tx: Executor, fromRepoId: string, { repo, userId }: { repo: Repository; userId: string }) {
      const added = async () => (await totalOfRepo(tx, fromRepoId)).bytes;
      await claimRoom(tx, settings, { repo, proposerId: null }, added);
      await copyGrants(tx, fromRepoId, { repo_id: repo.id, pusher_id: userId, pushed_at: clock.now() });
    },

    /** Gives a repository some files of another one; those that are gone are left out. */
    async copySome(
      tx: Executor,
      fromRepoId: string,
      sha256s: readonly string[],
      { repo, userId }: { repo: Pick<Repository, 'id'>; userId: string },
    ): Promise<void> {
      const grant = { repo_id: repo.id, pusher_id: userId, pushed_at: clock.now() };
      if (sha256s.length > 0) await copyGrants(tx, fromRepoId, grant, sha256s);
    },

    /**
     * Records the paths at which files were committed, for the list of large files. What is committed to a branch counts
     * for the owner of the repository from then on. Throws 413 if there is no room.
     */
    async recordPlaces(tx: Executor, repo: Repository, places: readonly FilePlace[]): Promise<void> {
      await recordPlaces(tx, repo.id, places);
      const written = places.filter(({ ref }) => !ref.startsWith(PULL_REQUEST)).map(({ sha256 }) => sha256);
      if (written.length > 0) await adopt(tx, settings, repo, { sha256s: written });
    },

    /** Lets the files that a pull request brought count for the owner of the repository. Throws 413 if there is no room. */
    adoptFrom: (tx: Executor, repo: Repository, ref: string): Promise<void> => adopt(tx, settings, repo, { ref }),

    /** The same without asking for room, for a pull request that is deleted and whose ref stays. */
    adoptAllFrom: (tx: Executor, repoId: string, ref: string): Promise<void> => adoptProposed(tx, repoId, { ref }),

    /** To be called when the ref of a pull request is deleted: what only it had is deleted like what nobody committed. */
    forgetPlacesAt: (tx: Executor, repoId: string, ref: string): Promise<void> => forgetPlacesAt(tx, repoId, ref),

    /** Deletes files from a repository and returns the hashes it had; the bytes are deleted after the grace period. */
    delete: (tx: Executor, repoId: string, sha256s: readonly string[]): Promise<string[]> =>
      deleteGrants(tx, repoId, sha256s),
  };
}
