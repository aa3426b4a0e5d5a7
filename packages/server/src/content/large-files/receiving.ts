import { roleOfUser } from '../../access/index.ts';
import type { BlobName, BlobStore, Bytes, Part, PartTag } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/http/errors.ts';
import { findRepoById, repoFacts } from '../../repositories/index.ts';
import { deleteArriving, markStored, markUsed, touchBlob } from './blob-row-store.ts';
import { findGranted, insertGrant } from './grant-store.ts';
import { claimRoom, type Quotas } from './quotas.ts';
import { tryAgain, withStore } from './refusals.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: BlobStore;
  readonly quotas: Quotas;
}

const NOT_THERE = 'The repository that this file was for is not there any more, or not for you';

/** A file that a user may bring into a repository. */
export interface Arrival extends BlobName {
  readonly repoId: string;
  readonly userId: string;
}

/** Takes the bytes of large files. They are stored and checked first; then the repository gets them. */
export function createReceiving({ database, clock, store, quotas }: Dependencies) {
  /** Throws 404 unless the user still sees the repository. */
  async function requireAllowed({ repoId, userId }: Pick<Arrival, 'repoId' | 'userId'>): Promise<void> {
    const repo = await findRepoById(database.read, repoId);
    const role = repo && (await roleOfUser(database.read, userId, repoFacts(repo)));
    if (!role) throw notFound(NOT_THERE);
  }

  const announce = ({ sha256, size }: BlobName): Promise<void> =>
    database.transaction(async (tx) => {
      if ((await touchBlob(tx, { sha256, size, now: clock.now() })) === 'deleting') throw tryAgain();
    });

  const grant = (arrival: Arrival): Promise<void> =>
    database.transaction(async (tx) => {
      const { sha256, size } = arrival;
      const repo = await findRepoById(tx, arrival.repoId);
      if (!repo) throw notFound(NOT_THERE);
      const [known] = await findGranted(tx, repo.id, [sha256]);
      if (!known) await claimRoom(tx, quotas, repo, size);
      if (!(await markStored(tx, { sha256, size, now: clock.now() }))) throw tryAgain();
      await insertGrant(tx, rowOf(arrival, clock.now()));
    });

  /** Stores a blob by `put` and gives it to the repository; where that fails, nothing has changed. */
  async function bring(arrival: Arrival, put: () => Promise<void>): Promise<void> {
    await announce(arrival);
    try {
      await withStore(put);
    } catch (error) {
      await database.transaction((tx) => deleteArriving(tx, arrival.sha256));
      throw error;
    }
    await grant(arrival);
  }

  return {
    requireAllowed,

    /** Takes a whole file. Nothing has changed where it is not the announced one. */
    async receive(arrival: Arrival, bytes: Bytes): Promise<void> {
      await requireAllowed(arrival);
      await bring(arrival, () => store.put(arrival, bytes));
    },

    /** Begins an upload in parts; returns its id. */
    beginParts: (blob: BlobName): Promise<string> => withStore(() => store.parts.begin(blob)),

    /** Takes a part, also more than once; returns its entity tag. */
    async receivePart(arrival: Arrival, upload: string, part: Part, bytes: Bytes): Promise<string> {
      await requireAllowed(arrival);
      return withStore(() => store.parts.put(upload, part, bytes));
    },

    /** Makes the file of its parts. */
    async completeParts(arrival: Arrival, upload: string, parts: readonly PartTag[]): Promise<void> {
      await requireAllowed(arrival);
      const [known] = await findGranted(database.read, arrival.repoId, [arrival.sha256]);
      // Whoever got no answer asks once more.
      if (known?.sound) return;
      await bring(arrival, () => store.parts.complete(upload, arrival, parts));
    },

    /** Gives a repository a file that another one has. Returns whether that has it. */
    async copy(tx: Executor, fromRepoId: string, to: Omit<Arrival, 'size'>): Promise<boolean> {
      const [found] = await findGranted(tx, fromRepoId, [to.sha256]);
      if (!found?.sound || !(await markUsed(tx, to.sha256))) return false;
      await insertGrant(tx, rowOf({ ...to, size: found.size }, clock.now()));
      return true;
    },
  };
}

const rowOf = ({ repoId, userId, sha256, size }: Arrival, now: number) => ({
  ...{ repo_id: repoId, sha256, size, pusher_id: userId, pushed_at: now },
  ...{ filename: null, ref: null },
});
