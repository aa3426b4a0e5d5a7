import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { BackupRow } from './tables.ts';

const rowsOf = (executor: ReadExecutor, place: string) =>
  executor.selectFrom('backups').selectAll().where('place', '=', place);

/** Returns the newest row of a place. */
export const findLatest = (executor: ReadExecutor, place: string): Promise<BackupRow | undefined> =>
  rowsOf(executor, place).orderBy('started_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();

/** Returns the place of the newest row of all. */
export const findLatestPlace = async (executor: ReadExecutor): Promise<string | undefined> =>
  (await executor.selectFrom('backups').select('place').orderBy('started_at', 'desc').limit(1).executeTakeFirst())
    ?.place;

/** Returns rows of a place in a state, newest first, after a number of newer ones. */
export const listInState = (
  executor: ReadExecutor,
  place: string,
  state: BackupRow['state'],
  { skip = 0, limit = 100 }: { readonly skip?: number; readonly limit?: number } = {},
): Promise<BackupRow[]> =>
  rowsOf(executor, place)
    .where('state', '=', state)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .offset(skip)
    .limit(limit)
    .execute();

const failuresOf = (executor: ReadExecutor, place: string) =>
  executor
    .selectFrom('backups')
    .where('place', '=', place)
    .where('state', '=', 'failed')
    .where('started_at', '>', (eb) =>
      eb
        .selectFrom('backups as whole')
        .select((inner) => inner.fn.coalesce(inner.fn.max('whole.started_at'), inner.lit(0)).as('at'))
        .where('whole.place', '=', place)
        .where('whole.state', '=', 'whole'),
    );

/** Counts the failures since the last whole backup of a place. */
export async function countFailures(executor: ReadExecutor, place: string): Promise<number> {
  const { count } = await failuresOf(executor, place)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the failures since the last whole backup of a place. */
export const listFailures = (executor: ReadExecutor, place: string, limit: number) =>
  failuresOf(executor, place).select(['id', 'name', 'error']).orderBy('started_at', 'desc').limit(limit).execute();

export async function insertBackup(tx: Executor, row: BackupRow): Promise<void> {
  await tx.insertInto('backups').values(row).execute();
}

/** Stores what came of a backup that is in a state. Returns false if it is in another one. */
export async function changeBackup(
  tx: Executor,
  { id, state }: Pick<BackupRow, 'id' | 'state'>,
  change: Partial<BackupRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('backups')
    .set(change)
    .where('id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteBackup(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('backups').where('id', '=', id).execute();
}

export async function deleteFailuresBefore(tx: Executor, time: number): Promise<void> {
  await tx.deleteFrom('backups').where('state', '=', 'failed').where('started_at', '<', time).execute();
}
