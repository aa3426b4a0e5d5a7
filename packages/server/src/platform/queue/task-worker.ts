import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { TaskRow } from '../database/tables.ts';
import type { Database, Executor } from '../database/transaction.ts';
import type { Logger } from '../logger.ts';
import type { CrashGuard } from './crash-guard/crash-guard.ts';
import { deleteDeadLetter } from './dead-letter-store.ts';
import { MAX_FAILURES, type SetAside } from './dead-letters.ts';
import { isScheduled } from './dead-tasks.ts';
import { nextDueInMs, postpone } from './due.ts';
import { TASKS } from './due-store.ts';
import { TransientFault } from './fault.ts';
import { deleteTask, dueTasks, lockDueTask, updateTask } from './task-store.ts';
import { BEGINNING, byKind, type StepResult, type TaskWork } from './tasks.ts';

interface TaskWorkerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tasks: readonly TaskWork[];
  readonly setAside: SetAside;
  readonly crashGuard: CrashGuard;
}

/** Small, because stopping the hub waits for the end of a round. */
const BATCH = 10;

/**
 * One round: a step of each due task, longest waiting first. An unfinished task moves to the end of the queue, so that a
 * long task does not block the others. The transaction of a step locks the row of its task, so that two processes never
 * do the same step, and a crash releases the task at once.
 */
export function createTaskWorker({ database, clock, logger, tasks, setAside, crashGuard }: TaskWorkerOptions) {
  const kinds = byKind(tasks);

  /** Returns false if another process has done the step or is doing it. */
  async function step(tx: Executor, id: string): Promise<boolean> {
    const row = await lockDueTask(tx, id, clock.now());
    if (!row) return false;
    const work = kinds.get(row.kind);
    // A newer process of the hub enqueued the task and will run it.
    if (!work) throw new TransientFault(`This version does not know tasks of the kind ${row.kind}`);
    const result = await work.step(tx, { id, data: row.data, createdAt: row.created_at });
    const rest = result === 'done' ? nextTime(row, work) : result;
    if (rest) {
      const change = { data: rest.data, due_at: clock.now() + (rest.afterMs ?? 0), attempts: 0 };
      await updateTask(tx, id, change);
    } else await deleteTask(tx, id);
    if (row.attempts >= MAX_FAILURES) await deleteDeadLetter(tx, 'tasks', id);
    return true;
  }

  /** A scheduled task starts again at its next time; any other ends. */
  const nextTime = (row: TaskRow, { schedule }: TaskWork): Exclude<StepResult<string>, 'done'> | undefined =>
    schedule && isScheduled(row) ? { data: BEGINNING, afterMs: schedule.everyMs } : undefined;

  async function tryStep({ id, kind }: Pick<TaskRow, 'id' | 'kind'>): Promise<boolean> {
    try {
      return await database.transaction((tx) => step(tx, id), { cutOff: true });
    } catch (error) {
      const failures = await postpone(database, TASKS, id, { now: clock.now(), error, setAside });
      logger.error({ err: error, taskId: id, kind, failures }, 'a step of a task failed');
      return true;
    }
  }

  /** Takes a step of each task. */
  async function stepEach(batch: readonly Pick<TaskRow, 'id' | 'kind'>[]): Promise<number> {
    let done = 0;
    for (const task of batch) {
      if (await tryStep(task)) done += 1;
      // SQLite is synchronous: without this pause, requests would wait for the whole round.
      await setImmediate();
    }
    return done;
  }

  const rows = (among?: readonly string[]) =>
    dueTasks(database.read, { now: clock.now(), limit: BATCH, ...(among && { among }) });

  return async function round(): Promise<{ done: number; dueInMs?: number | undefined }> {
    if (crashGuard.isActive('tasks')) {
      const done = await crashGuard.processDue(TASKS, BATCH, async (ids) => stepEach(await rows(ids)));
      return { done, dueInMs: done > 0 ? undefined : await nextDueInMs(database.read, TASKS, { now: clock.now() }) };
    }
    const batch = await rows();
    const startedAt = performance.now();
    const done = await stepEach(batch);
    // Scheduled work rests as long as it worked, unless other tasks are due.
    const hurry = batch.some(({ kind }) => kinds.get(kind)?.schedule === undefined);
    if (done > 0) return hurry ? { done } : { done, dueInMs: performance.now() - startedAt };
    return { done, dueInMs: await nextDueInMs(database.read, TASKS, { now: clock.now() }) };
  };
}
