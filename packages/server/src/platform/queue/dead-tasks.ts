import type { Clock } from '../clock.ts';
import type { TaskRow } from '../database/tables.ts';
import { afterCommit } from '../database/transaction.ts';
import type { DeadLetterQueue } from './dead-letters.ts';
import { NEVER } from './due.ts';
import { BEGINNING } from './tasks.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the task is durable. */
  readonly nudge: () => void;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Whether a task begins again by the clock: its key is its kind. */
export const isScheduled = ({ key, kind }: Pick<TaskRow, 'key' | 'kind'>): boolean => key === kind;

/**
 * A task that is set aside stays where it is, due never. One that begins again by the clock is tried every hour, unless
 * it ends the process.
 */
export const createDeadTasks = ({ clock, nudge }: Dependencies): DeadLetterQueue => ({
  async setAside(tx, id, { deaths }) {
    const row = await tx.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return undefined;
    const due_at = isScheduled(row) && deaths === 0 ? clock.now() + HOUR_MS : NEVER;
    await tx.updateTable('tasks').set({ due_at }).where('id', '=', id).execute();
    return { kind: row.kind, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const now = { due_at: clock.now(), attempts: 0 };
    const row = await tx.updateTable('tasks').set(now).where('id', '=', id).returning('id').executeTakeFirst();
    if (row) afterCommit(tx, nudge);
    return row !== undefined;
  },
  async discard(tx, id) {
    const row = await tx.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) return;
    const anew = { data: BEGINNING, due_at: clock.now() + DAY_MS, attempts: 0 };
    if (isScheduled(row)) await tx.updateTable('tasks').set(anew).where('id', '=', id).execute();
    else await tx.deleteFrom('tasks').where('id', '=', id).execute();
  },
});
