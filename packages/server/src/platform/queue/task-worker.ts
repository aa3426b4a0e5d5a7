import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { TaskRow } from '../database/tables.ts';
import { type Database, type Executor, forUpdateSkipLocked, type ReadExecutor } from '../database/transaction.ts';
import { whereIn } from '../database/where-in.ts';
import type { Logger } from '../logger.ts';
import type { Care } from './care.ts';
import { forgetDeadLetter, MAX_FAILURES, type SetAside } from './dead-letters.ts';
import { isScheduled } from './dead-tasks.ts';
import { nextDueInMs, postpone } from './due.ts';
import { PassingFault } from './fault.ts';
import { BEGINNING, byKind, type StepResult, type TaskWork } from './tasks.ts';

interface TaskWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tasks: readonly TaskWork[];
  readonly setAside: SetAside;
  readonly care: Care;
}

/** Few, as whoever stops the hub waits for the end of a round. */
const BATCH = 10;

/**
 * One round: a step of each task that is due, those that waited longest first. What is left of a task goes back to
 * the end of the queue, so that a long one is not in the way of the others. The transaction of a step holds the row
 * meanwhile, so that two processes never do the same one, and a crash hands it back at once.
 */
export function createTaskWorker({ database, clock, logger, tasks, setAside, care }: TaskWorkerOptions) {
  const kinds = byKind(tasks);
  const dueRows = (executor: ReadExecutor) => executor.selectFrom('tasks').where('due_at', '<=', clock.now());

  /** Returns false where another process has done the step, or is at it. */
  async function step(tx: Executor, id: string): Promise<boolean> {
    const row = await dueRows(tx)
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(forUpdateSkipLocked(tx))
      .executeTakeFirst();
    if (!row) return false;
    const work = kinds.get(row.kind);
    // A newer process of the hub has enqueued it, and will do it.
    if (!work) throw new PassingFault(`This version does not know tasks of the kind ${row.kind}`);
    const result = await work.step(tx, { id, data: row.data, createdAt: row.created_at });
    const rest = result === 'done' ? nextTime(row, work) : result;
    if (rest) {
      const change = { data: rest.data, due_at: clock.now() + (rest.afterMs ?? 0), attempts: 0 };
      await tx.updateTable('tasks').set(change).where('id', '=', id).execute();
    } else await tx.deleteFrom('tasks').where('id', '=', id).execute();
    if (row.attempts >= MAX_FAILURES) await forgetDeadLetter(tx, 'tasks', id);
    return true;
  }

  /** A scheduled task begins again; any other ends. */
  const nextTime = (row: TaskRow, { schedule }: TaskWork): Exclude<StepResult<string>, 'done'> | undefined =>
    schedule && isScheduled(row) ? { data: BEGINNING, afterMs: schedule.everyMs } : undefined;

  async function tryStep({ id, kind }: Pick<TaskRow, 'id' | 'kind'>): Promise<boolean> {
    try {
      return await database.transaction((tx) => step(tx, id), { cutOff: true });
    } catch (error) {
      const attempts = await postpone(database, 'tasks', id, { now: clock.now(), error, setAside });
      logger.error({ err: error, taskId: id, kind, attempts }, 'a task failed; it will be tried again');
      return true;
    }
  }

  /** A step of each. */
  async function stepEach(batch: readonly Pick<TaskRow, 'id' | 'kind'>[]): Promise<number> {
    let done = 0;
    for (const task of batch) {
      if (await tryStep(task)) done += 1;
      // SQLite answers at once: without this, requests would wait for the whole round.
      await setImmediate();
    }
    return done;
  }

  const rows = () => dueRows(database.read).select(['id', 'kind']).orderBy('due_at').orderBy('id').limit(BATCH);

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    if (care.isOn('tasks')) {
      const done = await care.carefully('tasks', BATCH, async (ids) =>
        stepEach(
          await rows()
            .where(whereIn(database.read, 'id', ids))
            .execute(),
        ),
      );
      return { done, dueInMs: done > 0 ? undefined : await nextDueInMs(database.read, 'tasks', clock.now()) };
    }
    const batch = await rows().execute();
    const startedAt = performance.now();
    const done = await stepEach(batch);
    // What is done by the clock rests as long as it worked, unless something else is to be done.
    const hurry = batch.some(({ kind }) => kinds.get(kind)?.schedule === undefined);
    if (done > 0) return hurry ? { done } : { done, dueInMs: performance.now() - startedAt };
    return { done, dueInMs: await nextDueInMs(database.read, 'tasks', clock.now()) };
  };
}
