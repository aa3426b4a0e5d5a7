import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { XorbRow } from './tables.ts';

/** Records a xorb; the newest blob with its chunks counts. */
export async function putXorb(tx: Executor, row: Omit<XorbRow, 'referenced_at'>): Promise<void> {
  const { sha256, size, chunks } = row;
  await tx
    .insertInto('xorbs')
    .values({ ...row, referenced_at: null })
    .onConflict((conflict) => conflict.columns(['owner_id', 'hash']).doUpdateSet({ sha256, size, chunks }))
    .execute();
}

/** Returns the xorbs of an owner whose bytes are sound. */
export const findXorbs = (executor: ReadExecutor, ownerId: string, hashes: readonly string[]): Promise<XorbRow[]> =>
  executor
    .selectFrom('xorbs')
    .innerJoin('blobs', 'blobs.sha256', 'xorbs.sha256')
    .selectAll('xorbs')
    .where('xorbs.owner_id', '=', ownerId)
    .where(whereIn(executor, 'xorbs.hash', hashes))
    .where('blobs.state', '=', 'stored')
    .execute();

export async function markReferenced(
  tx: Executor,
  ownerId: string,
  hashes: readonly string[],
  now: number,
): Promise<void> {
  await tx
    .updateTable('xorbs')
    .set({ referenced_at: now })
    .where('owner_id', '=', ownerId)
    .where(whereIn(tx, 'hash', hashes))
    .execute();
}

/** Returns the total size of the xorbs of an owner of which no file was made yet. */
export async function bytesWithoutFile(executor: ReadExecutor, ownerId: string): Promise<number> {
  const row = await executor
    .selectFrom('xorbs')
    .select(sql<number | string | null>`sum(size)`.as('bytes'))
    .where('owner_id', '=', ownerId)
    .where('referenced_at', 'is', null)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}
