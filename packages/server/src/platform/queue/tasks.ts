import type { Clock } from '../clock.ts';
import { afterCommit, type Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';

/** Work that takes long. `data` is JSON: what the next step needs to know. */
export interface Task {
  readonly id: string;
  readonly kind: string;
  readonly data: unknown;
  readonly createdAt: number;
}

/** What is left after a step: nothing, or the same task with new data, now or later. */
export type StepResult = 'done' | { readonly data: unknown; readonly afterMs?: number };

/**
 * One step of a task, in the transaction that also keeps how far it got: at most about 1,000 rows, so that requests
 * get in between. No I/O; a step that fails is undone and tried again later.
 */
export type TaskStep = (tx: Executor, task: Task) => Promise<StepResult>;

/** What each kind of task does; with `everyMs` it is always there, and begins again so long after it was done. */
export type TaskMap = Readonly<Record<string, { readonly step: TaskStep; readonly everyMs?: number }>>;

export interface Tasks {
  /** Adds a task in the transaction of its cause; the worker is nudged once that is durable. */
  enqueue(tx: Executor, kind: string, data: unknown, options?: EnqueueOptions): Promise<void>;
}

interface EnqueueOptions {
  /** No second task is added while one with this key is there. */
  readonly key?: string;
  readonly dueAt?: number;
}

export function createTasks({ clock, ids, nudge }: { clock: Clock; ids: Ids; nudge: () => void }): Tasks {
  return {
    async enqueue(tx, kind, data, { key, dueAt } = {}) {
      const now = clock.now();
      await tx
        .insertInto('tasks')
        .values({
          id: ids(),
          kind,
          key: key ?? null,
          data: JSON.stringify(data),
          due_at: dueAt ?? now,
          attempts: 0,
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
      afterCommit(tx, nudge);
    },
  };
}

/** Adds the tasks that are always there, where they are not yet. Their key is their kind. */
export async function enqueueScheduled(tx: Executor, tasks: Tasks, map: TaskMap): Promise<void> {
  for (const [kind, { everyMs }] of Object.entries(map)) {
    if (everyMs !== undefined) await tasks.enqueue(tx, kind, null, { key: kind });
  }
}
