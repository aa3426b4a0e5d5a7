import type { Executor } from '../../platform/database/transaction.ts';
import type { Repository } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { Upload } from './upload.ts';

/** A ref goes from one commit to another. */
export interface Move {
  readonly oldSha: string;
  readonly newSha: string;
  readonly upload: Upload;
}

/** The ref that a commit goes to. */
export interface Destination {
  /** Returns what the ref holds. Throws where there is no such ref. */
  readonly head: () => Promise<string>;
  /** Moves the ref in a transaction of its own, unless somebody else has; returns whether it did. */
  readonly move: (move: Move) => Promise<boolean>;
}

/** Writes down where the large files of an upload are, in the transaction that moves the ref. */
export const placesOf =
  (largeFiles: Pick<LargeFiles, 'namePlaces'>, { largeFiles: named }: Upload) =>
  (tx: Executor, repo: Repository, ref: string): Promise<void> =>
    largeFiles.namePlaces(
      tx,
      repo.id,
      named.map(({ sha256, path }) => ({ sha256, filename: path, ref })),
    );
