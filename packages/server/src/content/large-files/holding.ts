import type { Readable } from 'node:stream';
import type { BlobName, BlobStore, ByteRange, Bytes, LentBytes } from '../../platform/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import {
  deleteArriving,
  endHolds,
  type HoldColumn,
  markStored,
  postponeDeletion,
  touchBlob,
} from './blob-row-store.ts';
import { beingDeleted, withStore } from './refusals.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: BlobStore;
}

/** Bytes that another slice keeps as a blob. */
export interface BytesToHold<T> {
  readonly bytes: Bytes | LentBytes;
  readonly maxBytes: number;
  /** Until when the blob is kept although no repository has it. */
  readonly until: number;
  /** Records what the blob is for, in the transaction that makes it stay. */
  readonly onStored: (tx: Executor, blob: BlobName) => Promise<T>;
}

/** Keeps bytes as blobs that no repository has: they are stored, checked and deleted like large files. */
export function createHolding({ database, clock, store }: Dependencies) {
  async function hold<T>({ bytes, maxBytes, until, onStored }: BytesToHold<T>, column: HoldColumn): Promise<T> {
    const { name, commit, discard } = await withStore(() => store.stage(maxBytes, bytes));
    const now = clock.now();
    try {
      await database.transaction(async (tx) => {
        if ((await touchBlob(tx, { ...name, now })) === 'deleting') throw beingDeleted();
      });
      await withStore(commit);
    } catch (error) {
      await discard();
      await database.transaction((tx) => deleteArriving(tx, name.sha256));
      throw error;
    }
    return database.transaction(async (tx) => {
      if (!(await markStored(tx, { ...name, now }))) throw beingDeleted();
      await postponeDeletion(tx, [name.sha256], until, column);
      return onStored(tx, name);
    });
  }

  return {
    /** Stores bytes whose SHA-256 is not known before; returns what `onStored` does. If this throws, nothing has changed. */
    hold: <T>(held: BytesToHold<T>): Promise<T> => hold(held, 'held_until'),

    /** Keeps blobs longer; blobs that are kept for longer already stay so. */
    extendHold: (tx: Executor, sha256s: readonly string[], until: number): Promise<void> =>
      postponeDeletion(tx, sha256s, until, 'held_until'),

    /** Like `hold`, until `release` at the latest. There is one such hold of a blob, apart from the others. */
    keep: <T>(kept: BytesToHold<T>): Promise<T> => hold(kept, 'kept_until'),

    /** Like `extendHold`, for what `keep` stored. */
    keepLonger: (tx: Executor, sha256s: readonly string[], until: number): Promise<void> =>
      postponeDeletion(tx, sha256s, until, 'kept_until'),

    /** Ends what `keep` began. The bytes go with the next round of the upkeep, unless somebody else has or had them. */
    release: (tx: Executor, sha256s: readonly string[]): Promise<void> => endHolds(tx, sha256s),

    /** Returns a range of a blob. Throws 404 if the bytes are gone. */
    readHeld: (sha256: string, range: ByteRange): Promise<Readable> => withStore(() => store.get(sha256, range)),

    /** Returns a range of a blob, which must be read, in pieces that last until the next one is asked for. Throws the same. */
    lendHeld: (sha256: string, range: ByteRange): Promise<Bytes> => withStore(() => store.lend(sha256, range)),
  };
}
