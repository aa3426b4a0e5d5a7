import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { afterCommit, type Executor } from '../database/transaction.ts';
import type { Ids } from '../ids.ts';
import { readStored } from '../stored-form.ts';

/** A kind of work that takes long, and what its next step needs to know. The slice that does the work defines it. */
export interface TaskKind<Data> {
  /** Stands in the rows of tasks and of dead letters. */
  readonly name: string;
  readonly write: (data: Data) => string;
  /** Returns the data of a stored task. Throws where it has no form of the kind. */
  readonly read: (text: string) => Data;
}

/** The schema reads every form in which tasks of the kind were ever left. */
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

/** What is left after a step: nothing, or the same task with new data, now or later. */
export type StepResult<Data> = 'done' | { readonly data: Data; readonly afterMs?: number };

/**
 * One step of a task, in the transaction that also keeps how far it got: at most about 1,000 rows, so that requests
 * get in between. No I/O; a step that fails is undone and tried again later.
 */
export type TaskStep<Data> = (tx: Executor, task: Task<Data>) => Promise<StepResult<Data>>;

/** The step of tasks of a kind. */
export type StepOf<Kind> = Kind extends TaskKind<infer Data> ? TaskStep<Data> : never;

/** What is done for the tasks of a kind. */
export interface TaskWork {
  readonly kind: string;
  /** A step of a task as it is stored. */
  readonly step: TaskStep<string>;
  /** Of a task that is always there. */
  readonly schedule?: {
    /** How long after it was done it begins again. */
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

/** Work on a task that is always there. Its data is null when it begins, and its key is its kind. */
export const onSchedule = <Data = null>(
  kind: TaskKind<Data | null>,
  everyMs: number,
  step: TaskStep<NoInfer<Data> | null>,
): TaskWork => ({
  ...onTask(kind, step),
  schedule: { everyMs, enqueue: (tx, tasks) => tasks.enqueue(tx, kind, null, { key: kind.name }) },
});

/** The stored data of a scheduled task that begins. */
export const BEGINNING = 'null';

/** Returns the work of each kind. Throws where a kind stands twice in the table. */
export function byKind(table: readonly TaskWork[]): ReadonlyMap<string, TaskWork> {
  const kinds = new Map(table.map((work) => [work.kind, work]));
  if (kinds.size < table.length) throw new Error('A kind of task has one step');
  return kinds;
}

export interface Tasks {
  /** Adds a task in the transaction of its cause; the worker is nudged once that is durable. */
  enqueue<Data>(tx: Executor, kind: TaskKind<Data>, data: NoInfer<Data>, options?: EnqueueOptions): Promise<void>;
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
          kind: kind.name,
          key: key ?? null,
          data: kind.write(data),
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

/** Adds the tasks that are always there, where they are not yet. */
export async function enqueueScheduled(tx: Executor, tasks: Tasks, table: readonly TaskWork[]): Promise<void> {
  for (const { schedule } of table) await schedule?.enqueue(tx, tasks);
}
