import type { Executor } from '../../platform/database/transaction.ts';
import type { Repository } from '../../repositories/index.ts';
import type { LargeFiles } from '../large-files/assembly.ts';
import type { Upload } from './upload.ts';

/** The move of a ref from one commit to another. */
export interface Move {
  readonly oldSha: string;
  readonly newSha: string;
  readonly upload: Upload;
}

/** The ref that receives a commit. */
export interface Destination {
  /** Returns the commit that the ref points to. Throws 404 if there is no such ref. */
  readonly head: () => Promise<string>;
  /** Moves the ref in a transaction of its own; returns false if the ref no longer points to the old commit. */
  readonly move: (move: Move) => Promise<boolean>;
}

/** Returns a function that records the paths of an upload's large files in the transaction that moves the ref. */
export const recordPlacesOf =
  (largeFiles: Pick<LargeFiles, 'recordPlaces'>, { largeFiles: named }: Upload) =>
  (tx: Executor, repo: Repository, ref: string): Promise<void> =>
    largeFiles.recordPlaces(
      tx,
      repo,
      named.map(({ sha256, path }) => ({ sha256, filename: path, ref })),
    );
