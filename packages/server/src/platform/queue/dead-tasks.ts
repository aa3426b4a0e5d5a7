import type { Clock } from '../clock.ts';
import type { TaskRow } from '../database/tables.ts';
import { afterCommit } from '../database/transaction.ts';
import type { DeadLetterQueue } from './dead-letters.ts';
import { NEVER } from './due-store.ts';
import { deleteTask, findTask, updateTask } from './task-store.ts';
import { BEGINNING } from './tasks.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the task is durable. */
  readonly nudge: () => void;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Returns whether a task is scheduled: its key is then its kind. */
export const isScheduled = ({ key, kind }: Pick<TaskRow, 'key' | 'kind'>): boolean => key === kind;

/**
 * A task that is set aside keeps its row and is never due. A scheduled task is retried every hour, unless it ends the
 * process.
 */
export const createDeadTasks = ({ clock, nudge }: Dependencies): DeadLetterQueue<'tasks'> => ({
  table: 'tasks',
  async setAside(tx, id, { deaths }) {
    const row = await findTask(tx, id);
    if (!row) return undefined;
    const due_at = isScheduled(row) && deaths === 0 ? clock.now() + HOUR_MS : NEVER;
    await updateTask(tx, id, { due_at });
    return { kind: row.kind, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const isThere = await updateTask(tx, id, { due_at: clock.now(), attempts: 0 });
    if (isThere) afterCommit(tx, nudge);
    return isThere;
  },
  async discard(tx, id) {
    const row = await findTask(tx, id);
    if (!row) return;
    const restarted = { data: BEGINNING, due_at: clock.now() + DAY_MS, attempts: 0 };
    if (isScheduled(row)) await updateTask(tx, id, restarted);
    else await deleteTask(tx, id);
  },
});
