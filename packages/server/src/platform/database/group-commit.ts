import { AsyncResource } from 'node:async_hooks';
import { type Kysely, sql } from 'kysely';

type Work<Tx, T> = (tx: Tx) => Promise<T>;

interface Job<Tx> {
  readonly work: Work<Tx, unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** So many works at the most share a commit: requests wait for all of them. */
const MAX_MEMBERS = 64;
const MAX_REST_MS = 3;

/**
 * Runs what comes in the same turn of the event loop in one transaction, each work behind a savepoint of its own: on
 * SQLite, where transactions follow each other anyhow, a commit that syncs the disk costs more than a dozen works.
 * A work that fails undoes itself alone; nobody is answered before all is durable.
 */
export function createGroupCommit<Tables>(executor: Kysely<Tables>) {
  const waiting: Job<Kysely<Tables>>[] = [];
  let scheduled = false;
  let endedAt = 0;
  let restMs = 0;

  /** At once after a pause; under load after a rest as long as the last group took, so that the next one is larger. */
  function schedule(): void {
    const left = Math.min(restMs, restMs - (performance.now() - endedAt));
    if (left < 1) setImmediate(() => void flush());
    else setTimeout(() => void flush(), left);
  }

  /**
   * A transaction that fails throws why, also where SQLite has rolled it back by itself (full disk, failed I/O) and has
   * nothing left to roll back.
   */
  const transaction = <T>(work: Work<Kysely<Tables>, T>): Promise<T> =>
    executor.connection().execute(async (tx) => {
      try {
        await sql`begin`.execute(tx);
        const value = await work(tx);
        await sql`commit`.execute(tx);
        return value;
      } catch (error) {
        await sql`rollback`.execute(tx).catch(() => {});
        throw error;
      }
    });

  /** Returns how to settle the job once the group is durable. */
  async function runAlone(tx: Kysely<Tables>, job: Job<Kysely<Tables>>): Promise<() => void> {
    await sql`savepoint one_of_group`.execute(tx);
    try {
      const value = await job.work(tx);
      await sql`release one_of_group`.execute(tx);
      return () => job.resolve(value);
    } catch (error) {
      await sql`rollback to one_of_group`.execute(tx).catch(() => {
        throw error;
      });
      await sql`release one_of_group`.execute(tx);
      return () => job.reject(error);
    }
  }

  async function runGroup(group: readonly Job<Kysely<Tables>>[]): Promise<void> {
    const [first] = group;
    try {
      const settle = await transaction(async (tx) => {
        if (first && group.length === 1) {
          const value = await first.work(tx);
          return [() => first.resolve(value)];
        }
        const outcomes: (() => void)[] = [];
        for (const job of group) outcomes.push(await runAlone(tx, job));
        return outcomes;
      });
      for (const each of settle) each();
    } catch (error) {
      for (const job of group) job.reject(error);
    }
  }

  async function flush(): Promise<void> {
    const startedAt = performance.now();
    await runGroup(waiting.splice(0, MAX_MEMBERS));
    endedAt = performance.now();
    restMs = Math.min(endedAt - startedAt, MAX_REST_MS);
    scheduled = waiting.length > 0;
    if (scheduled) schedule();
  }

  return <T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work: inContext(work), resolve: resolve as (value: unknown) => void, reject });
      if (scheduled) return;
      scheduled = true;
      schedule();
    });
}

/**
 * In the asynchronous context of its caller, not of whoever came first of the group. Nobody asks when it is destroyed:
 * that makes it cheap (0.1 µs).
 */
function inContext<Tx, T>(work: Work<Tx, T>): Work<Tx, T> {
  const resource = new AsyncResource('transaction', { requireManualDestroy: true });
  return (tx) => resource.runInAsyncScope(work, undefined, tx);
}
