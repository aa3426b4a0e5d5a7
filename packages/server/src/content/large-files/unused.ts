import type { Executor } from '../../platform/database/transaction.ts';
import { noteUnused } from './blob-row-store.ts';
import { deleteGrantsOfDeleted } from './grant-store.ts';

const MAX_ROWS = 500;

/**
 * Takes some blobs from deleted repositories, and records since when they have been in no repository. Returns false if a
 * deleted repository may still have some of them: then the step is to be repeated.
 */
export async function releaseUnused(tx: Executor, sha256s: readonly string[], now: number): Promise<boolean> {
  if ((await deleteGrantsOfDeleted(tx, sha256s, MAX_ROWS)) === MAX_ROWS) return false;
  await noteUnused(tx, sha256s, now);
  return true;
}
