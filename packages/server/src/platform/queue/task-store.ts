import type { TaskRow } from '../database/tables.ts';
import { type Executor, forUpdateSkipLocked, type ReadExecutor } from '../database/transaction.ts';
import { whereIn } from '../database/where-in.ts';

/** Adds a task, unless one with its key exists. */
export async function insertTask(tx: Executor, task: TaskRow): Promise<void> {
  await tx
    .insertInto('tasks')
    .values(task)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
}

/** Returns due tasks, longest waiting first; `among` limits them to some ids. */
export function dueTasks(
  executor: ReadExecutor,
  { now, limit, among }: { readonly now: number; readonly limit: number; readonly among?: readonly string[] },
): Promise<Pick<TaskRow, 'id' | 'kind'>[]> {
  const due = executor.selectFrom('tasks').select(['id', 'kind']).where('due_at', '<=', now);
  const some = among ? due.where(whereIn(executor, 'id', among)) : due;
  return some.orderBy('due_at').orderBy('id').limit(limit).execute();
}

/** Locks and returns a due task; undefined if it is not due or another process has locked it. */
export const lockDueTask = (tx: Executor, id: string, now: number): Promise<TaskRow | undefined> =>
  tx
    .selectFrom('tasks')
    .selectAll()
    .where('due_at', '<=', now)
    .where('id', '=', id)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst();

export const findTask = (executor: ReadExecutor, id: string): Promise<TaskRow | undefined> =>
  executor.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();

/** Changes a task. Returns whether it exists. */
export async function updateTask(tx: Executor, id: string, change: Partial<TaskRow>): Promise<boolean> {
  const row = await tx.updateTable('tasks').set(change).where('id', '=', id).returning('id').executeTakeFirst();
  return row !== undefined;
}

export async function deleteTask(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('tasks').where('id', '=', id).execute();
}
