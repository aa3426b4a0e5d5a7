import type { BlobName, BlobStore, Bytes, LentBytes, Part, PartTag } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import { findRepoById, lockRepoById } from '../../repositories/index.ts';
import { deleteArriving, markStored, markUsed, touchBlob } from './blob-row-store.ts';
import { findGranted, insertGrant } from './grant-store.ts';
import type { ProposerId } from './proposers.ts';
import { claimRoom, type Quotas } from './quotas.ts';
import { beingDeleted, repositoryGone, withStore } from './refusals.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: BlobStore;
  readonly quotas: Quotas;
}

/** If the bytes of a file take longer than this to arrive, their user is admitted again. */
const MAX_ADMISSION_AGE_MS = 1_000;

/** A file that a user uploads into a repository. */
export interface IncomingFile extends BlobName {
  readonly repoId: string;
  readonly userId: string;
}

/** Returns for whose quota a file counts. Throws if the user may not upload it, or no longer. */
export type Admit = () => Promise<ProposerId>;

/** Receives large files: the bytes are stored and verified first, then granted to the repository. */
export function createReceiving({ database, clock, store, quotas }: Dependencies) {
  const announce = ({ sha256, size }: BlobName): Promise<void> =>
    database.transaction(async (tx) => {
      if ((await touchBlob(tx, { sha256, size, now: clock.now() })) === 'deleting') throw beingDeleted();
    });

  /** Throws 413 if whoever has to has no room for the file, 404 if the repository is gone. */
  async function claimRoomFor(
    tx: Executor,
    { repoId, sha256, size }: IncomingFile,
    proposerId: ProposerId,
  ): Promise<void> {
    const repo = await findRepoById(tx, repoId);
    if (!repo) throw repositoryGone();
    const added = async () => ((await findGranted(tx, repoId, [sha256])).length > 0 ? 0 : size);
    await claimRoom(tx, quotas, { repo, proposerId }, added);
  }

  const grant = (file: IncomingFile, proposerId: ProposerId): Promise<void> =>
    database.transaction(async (tx) => {
      const { repoId, sha256, size } = file;
      await claimRoomFor(tx, file, proposerId);
      if (!(await markStored(tx, { sha256, size, now: clock.now(), repoId }))) throw beingDeleted();
      await insertGrant(tx, rowOf(file, proposerId, clock.now()));
    });

  /**
   * Grants a repository a blob that the hub has, within the quota of its owner. Locks the repository. Throws 404 if the
   * repository is gone.
   */
  async function grantHeld(tx: Executor, file: IncomingFile): Promise<void> {
    const { repoId, sha256 } = file;
    await claimRoomFor(tx, file, null);
    if (!(await lockRepoById(tx, repoId))) throw repositoryGone();
    if (!(await markUsed(tx, sha256, repoId))) throw beingDeleted();
    await insertGrant(tx, rowOf(file, null, clock.now()));
  }

  /**
   * Stores a blob by `put` and grants it to the repository of a user who may upload; if `put` fails, nothing has changed.
   */
  async function storeAndGrant(file: IncomingFile, admit: Admit, put: () => Promise<void>): Promise<void> {
    const proposerId = await admit();
    const admittedAt = performance.now();
    await announce(file);
    try {
      await withStore(put);
    } catch (error) {
      await database.transaction((tx) => deleteArriving(tx, file.sha256));
      throw error;
    }
    const isStale = performance.now() - admittedAt >= MAX_ADMISSION_AGE_MS;
    await grant(file, isStale ? await admit() : proposerId);
  }

  return {
    grantHeld,

    /** Receives a whole file. Throws and changes nothing if the bytes do not match the announced name. */
    receive: (file: IncomingFile, admit: Admit, bytes: Bytes | LentBytes): Promise<void> =>
      storeAndGrant(file, admit, () => store.put(file, bytes)),

    /** Starts an upload in parts; returns its id. */
    beginParts: (blob: BlobName): Promise<string> => withStore(() => store.parts.begin(blob)),

    /** Receives a part, which may be sent repeatedly; returns its entity tag. */
    receivePart: (upload: string, part: Part, bytes: Bytes): Promise<string> =>
      withStore(() => store.parts.put(upload, part, bytes)),

    /** Assembles the file from its parts. */
    async completeParts(
      file: IncomingFile,
      admit: Admit,
      { upload, parts }: { readonly upload: string; readonly parts: readonly PartTag[] },
    ): Promise<void> {
      await admit();
      const [known] = await findGranted(database.read, file.repoId, [file.sha256]);
      // A client that lost the response repeats the request.
      if (known?.sound) return;
      await storeAndGrant(file, admit, () => store.parts.complete(upload, file, parts));
    },
  };
}

const rowOf = ({ repoId, userId, sha256, size }: IncomingFile, proposerId: ProposerId, now: number) => ({
  ...{ repo_id: repoId, sha256, size, pusher_id: userId, pushed_at: now, proposer_id: proposerId },
  ...{ filename: null, ref: null },
});
