import type { BlobName, BlobStore, Bytes, LentBytes, Part, PartTag } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { findRepoById, lockRepoById } from '../../repositories/index.ts';
import { deleteArriving, markStored, markUsed, touchBlob } from './blob-row-store.ts';
import { findGranted, insertGrant } from './grant-store.ts';
import { claimRoom, type Quotas } from './quotas.ts';
import { beingDeleted, withStore } from './refusals.ts';
import { repositoryGone } from './signed-access.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: BlobStore;
  readonly quotas: Quotas;
}

/** If the bytes of a file take longer than this to arrive, whether the user may upload them is asked again. */
const MAX_CHECK_AGE_MS = 1_000;

/** A file that a user uploads into a repository. */
export interface IncomingFile extends BlobName {
  readonly repoId: string;
  readonly userId: string;
}

/** Throws if the user may not upload a file, or no longer. */
type RequireAllowed = () => Promise<unknown>;

/** Receives large files: the bytes are stored and verified first, then granted to the repository. */
export function createReceiving({ database, clock, store, quotas }: Dependencies) {
  const announce = ({ sha256, size }: BlobName): Promise<void> =>
    database.transaction(async (tx) => {
      if ((await touchBlob(tx, { sha256, size, now: clock.now() })) === 'deleting') throw beingDeleted();
    });

  /** Throws 413 if the owner of the repository has no room for the file, 404 if the repository is gone. */
  async function claimRoomFor(tx: Executor, { repoId, sha256, size }: IncomingFile): Promise<void> {
    const repo = await findRepoById(tx, repoId);
    if (!repo) throw repositoryGone();
    await claimRoom(tx, quotas, repo, async () => ((await findGranted(tx, repoId, [sha256])).length > 0 ? 0 : size));
  }

  const grant = (file: IncomingFile): Promise<void> =>
    database.transaction(async (tx) => {
      const { repoId, sha256, size } = file;
      await claimRoomFor(tx, file);
      if (!(await markStored(tx, { sha256, size, now: clock.now(), repoId }))) throw beingDeleted();
      await insertGrant(tx, rowOf(file, clock.now()));
    });

  /**
   * Grants a repository a blob that the hub has, within the quota of its owner. Locks the repository. Throws 404 if the
   * repository is gone.
   */
  async function grantHeld(tx: Executor, file: IncomingFile): Promise<void> {
    const { repoId, sha256 } = file;
    await claimRoomFor(tx, file);
    if (!(await lockRepoById(tx, repoId))) throw repositoryGone();
    if (!(await markUsed(tx, sha256, repoId))) throw beingDeleted();
    await insertGrant(tx, rowOf(file, clock.now()));
  }

  /**
   * Stores a blob by `put` and grants it to the repository of a user who may upload; if `put` fails, nothing has changed.
   */
  async function storeAndGrant(
    file: IncomingFile,
    requireAllowed: RequireAllowed,
    put: () => Promise<void>,
  ): Promise<void> {
    await announce(file);
    const startedAt = performance.now();
    try {
      await withStore(put);
    } catch (error) {
      await database.transaction((tx) => deleteArriving(tx, file.sha256));
      throw error;
    }
    if (performance.now() - startedAt >= MAX_CHECK_AGE_MS) await requireAllowed();
    await grant(file);
  }

  return {
    grantHeld,

    /** Receives a whole file. Throws and changes nothing if the bytes do not match the announced name. */
    async receive(file: IncomingFile, requireAllowed: RequireAllowed, bytes: Bytes | LentBytes): Promise<void> {
      await requireAllowed();
      await storeAndGrant(file, requireAllowed, () => store.put(file, bytes));
    },

    /** Starts an upload in parts; returns its id. */
    beginParts: (blob: BlobName): Promise<string> => withStore(() => store.parts.begin(blob)),

    /** Receives a part, which may be sent repeatedly; returns its entity tag. */
    receivePart: (upload: string, part: Part, bytes: Bytes): Promise<string> =>
      withStore(() => store.parts.put(upload, part, bytes)),

    /** Assembles the file from its parts. */
    async completeParts(
      file: IncomingFile,
      requireAllowed: RequireAllowed,
      { upload, parts }: { readonly upload: string; readonly parts: readonly PartTag[] },
    ): Promise<void> {
      await requireAllowed();
      const [known] = await findGranted(database.read, file.repoId, [file.sha256]);
      // A client that lost the response repeats the request.
      if (known?.sound) return;
      await storeAndGrant(file, requireAllowed, () => store.parts.complete(upload, file, parts));
    },
  };
}

const rowOf = ({ repoId, userId, sha256, size }: IncomingFile, now: number) => ({
  ...{ repo_id: repoId, sha256, size, pusher_id: userId, pushed_at: now },
  ...{ filename: null, ref: null },
});
