import type { ReadExecutor } from '../platform/database/transaction.ts';
import { countFailures, findLatestPlace, listFailures, listInState } from './store.ts';
import type { BackupRow } from './tables.ts';

/** What is known of the backups of the place that was used last. */
export interface LastBackups {
  /** The folder, or the address of the bucket. */
  readonly place: string;
  readonly whole: BackupRow | undefined;
  /** The failures since the last whole backup, and the reason of the last one. */
  readonly failures: number;
  readonly lastError: string | undefined;
}

/** Returns undefined if the hub has never begun a backup of itself. */
export async function lastBackups(read: ReadExecutor): Promise<LastBackups | undefined> {
  const place = await findLatestPlace(read);
  if (place === undefined) return undefined;
  const [whole] = await listInState(read, place, 'whole', { limit: 1 });
  const failures = await countFailures(read, place);
  const [failed] = await listFailures(read, place, 1);
  return { place, whole, failures, lastError: failed?.error ?? undefined };
}
