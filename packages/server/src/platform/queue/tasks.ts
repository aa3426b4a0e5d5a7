import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { afterCommit, type Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import { readStored } from '../stored-form.ts';
import { insertTask } from './task-store.ts';

/** A kind of long work, and the data of its next step. The slice that does the work defines the kind. */
export interface TaskKind<Data> {
  /** The name in the rows of tasks and dead letters. */
  readonly name: string;
  readonly write: (data: Data) => string;
  /** Parses the data of a stored task. Throws if the data does not match the kind. */
  readonly read: (text: string) => Data;
}

/** Defines a kind of task. The schema accepts every form in which tasks of the kind were ever stored. */
export const defineTask = <Data>(name: string, schema: z.ZodType<Data>): TaskKind<Data> => ({
  name,
  write: (data) => JSON.stringify(data),
  read: (text) => readStored(schema, JSON.parse(text), `A task of the kind ${name}`),
});

export interface Task<Data> {
  readonly id: string;
  readonly data: Data;
  readonly createdAt: number;
}

/** The remaining work after a step: none, or the same task with new data, now or later. */
export type StepResult<Data> = 'done' | { readonly data: Data; readonly afterMs?: number };

/**
 * One step of a task, in the transaction that also stores the progress: at most about 1,000 rows, so that requests run in
 * between. No I/O; a failed step is rolled back and retried later.
 */
export type TaskStep<Data> = (tx: Executor, task: Task<Data>) => Promise<StepResult<Data>>;

/** The step of tasks of a kind. */
export type StepOf<Kind> = Kind extends TaskKind<infer Data> ? TaskStep<Data> : never;

/** The work on tasks of a kind. */
export interface TaskWork {
  readonly kind: string;
  /** Takes a step of a stored task. */
  readonly step: TaskStep<string>;
  /** The schedule of a permanent task. */
  readonly schedule?: {
    /** The time from the end of a run to the next start. */
    readonly everyMs: number;
    readonly enqueue: (tx: Executor, tasks: Tasks) => Promise<void>;
  };
}

export const onTask = <Data>(kind: TaskKind<Data>, step: TaskStep<NoInfer<Data>>): TaskWork => ({
  kind: kind.name,
  async step(tx, task) {
    const result = await step(tx, { ...task, data: kind.read(task.data) });
    return result === 'done' ? result : { ...result, data: kind.write(result.data) };
  },
});

/** Work on a permanent task. Its data is null at the start of a run, and its key is its kind. */
export const onSchedule = <Data = null>(
  kind: TaskKind<Data | null>,
  everyMs: number,
  step: TaskStep<NoInfer<Data> | null>,
): TaskWork => ({
  ...onTask(kind, step),
  schedule: { everyMs, enqueue: (tx, tasks) => tasks.enqueue(tx, kind, null, { key: kind.name }) },
});

/** The stored data of a scheduled task at the start of a run. */
export const BEGINNING = 'null';

/** Returns the work of each kind. Throws if a kind is listed twice. */
export function byKind(table: readonly TaskWork[]): ReadonlyMap<string, TaskWork> {
  const kinds = new Map(table.map((work) => [work.kind, work]));
  if (kinds.size < table.length) throw new Error('A kind of task has one step');
  return kinds;
}

export interface Tasks {
  /** Adds a task in the transaction of its cause; the worker is nudged after the commit. */
  enqueue<Data>(tx: Executor, kind: TaskKind<Data>, data: NoInfer<Data>, options?: EnqueueOptions): Promise<void>;
}

interface EnqueueOptions {
  /** At most one task, of any kind, is stored with a key: enqueueing another does nothing until that one is done. */
  readonly key?: string;
  readonly dueAt?: number;
}

export function createTasks({ clock, ids, nudge }: { clock: Clock; ids: Ids; nudge: () => void }): Tasks {
  return {
    async enqueue(tx, kind, data, { key, dueAt } = {}) {
      const now = clock.now();
      await insertTask(tx, {
        id: ids(),
        kind: kind.name,
        key: key ?? null,
        data: kind.write(data),
        due_at: dueAt ?? now,
        attempts: 0,
        created_at: now,
      });
      afterCommit(tx, nudge);
    },
  };
}

/** Adds the permanent tasks that do not exist yet. */
export async function enqueueScheduled(tx: Executor, tasks: Tasks, table: readonly TaskWork[]): Promise<void> {
  for (const { schedule } of table) await schedule?.enqueue(tx, tasks);
}
