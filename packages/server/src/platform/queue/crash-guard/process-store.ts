import type { Executor, ReadExecutor } from '../../database/transaction.ts';

/** Records the heartbeat of a process: inserts its row, or updates only `seen_at`. */
export async function recordHeartbeat(tx: Executor, id: string, seenAt: number): Promise<void> {
  await tx
    .insertInto('processes')
    .values({ id, started_at: seenAt, seen_at: seenAt })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt }))
    .execute();
}

export const otherProcesses = (executor: ReadExecutor, id: string) =>
  executor.selectFrom('processes').selectAll().where('id', '<>', id).execute();

/** Deletes the row of a process; with a time, only if it was last seen then. Returns whether the row existed. */
export async function deleteProcess(tx: Executor, id: string, seenAt?: number): Promise<boolean> {
  const all = tx.deleteFrom('processes').where('id', '=', id);
  const { numDeletedRows } = await (seenAt === undefined ? all : all.where('seen_at', '=', seenAt)).executeTakeFirst();
  return numDeletedRows > 0n;
}
