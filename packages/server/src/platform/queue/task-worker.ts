import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { TaskRow } from '../database/tables.ts';
import { type Database, type Executor, forUpdateOf } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import type { Logger } from '../logger.ts';
import { backoffMs } from './backoff.ts';
import { claim, LEASE_MS, nextDueAt } from './claim.ts';
import type { StepResult, TaskMap } from './tasks.ts';

interface TaskWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly tasks: TaskMap;
}

/** Few, so that a round of steps is well within a lease. */
const BATCH = 10;

/**
 * One round: a step of each task that is due, those that waited longest first. What is left of a task goes back to
 * the end of the queue, so that a long one is not in the way of the others.
 */
export function createTaskWorker({ database, clock, ids, logger, tasks }: TaskWorkerOptions) {
  /** On PostgreSQL the row stays locked until the step is kept: no other process does it meanwhile. */
  const held = (tx: Executor, id: string, lease: string): Promise<TaskRow | undefined> =>
    tx
      .selectFrom('tasks')
      .selectAll()
      .where('id', '=', id)
      .where('lease', '=', lease)
      .modifyEnd(forUpdateOf(tx, 'tasks'))
      .executeTakeFirst();

  async function step(tx: Executor, lease: string, id: string): Promise<void> {
    const row = await held(tx, id, lease);
    if (!row) return;
    const does = tasks[row.kind];
    if (!does) throw new Error(`This version does not know tasks of the kind ${row.kind}`);
    const { kind, created_at: createdAt } = row;
    const result = await does.step(tx, { id, kind, data: JSON.parse(row.data) as unknown, createdAt });
    const rest = result === 'done' ? nextTime(row, does.everyMs) : result;
    if (rest) {
      const change = { data: JSON.stringify(rest.data), due_at: clock.now() + (rest.afterMs ?? 0) };
      await tx
        .updateTable('tasks')
        .set({ ...change, lease: null, attempts: 0 })
        .where('id', '=', id)
        .execute();
    } else await tx.deleteFrom('tasks').where('id', '=', id).execute();
  }

  /** A scheduled task begins again; any other ends. */
  const nextTime = (row: TaskRow, everyMs: number | undefined): Exclude<StepResult, 'done'> | undefined =>
    everyMs !== undefined && row.key === row.kind ? { data: null, afterMs: everyMs } : undefined;

  const postpone = (lease: string, id: string, error: unknown): Promise<void> =>
    database.transaction(async (tx) => {
      const row = await held(tx, id, lease);
      if (!row) return;
      const attempts = row.attempts + 1;
      logger.error({ err: error, taskId: id, kind: row.kind, attempts }, 'a task failed; it will be tried again');
      await tx
        .updateTable('tasks')
        .set({ attempts, due_at: clock.now() + backoffMs(attempts), lease: null })
        .where('id', '=', id)
        .execute();
    });

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    const now = clock.now();
    const lease = ids();
    const taskIds = await claim(database.executor, { table: 'tasks', lease, now, limit: BATCH });
    if (taskIds.length === 0) {
      const due = await nextDueAt(database.executor, 'tasks');
      return { done: 0, dueInMs: due === undefined ? undefined : Math.max(1, Math.min(due - now, LEASE_MS)) };
    }
    for (const id of taskIds) {
      await database.transaction((tx) => step(tx, lease, id)).catch((error: unknown) => postpone(lease, id, error));
      // SQLite answers at once: without this, requests would wait for the whole round.
      await setImmediate();
    }
    return { done: taskIds.length };
  };
}
