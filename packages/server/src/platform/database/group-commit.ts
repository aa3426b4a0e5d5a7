import { AsyncResource } from 'node:async_hooks';
import { type Kysely, sql } from 'kysely';
import { inTransaction } from './in-transaction.ts';

type Work<Tx, T> = (tx: Tx) => Promise<T>;

interface Unit<Tx> {
  readonly work: Work<Tx, Outcome>;
  readonly reject: (error: unknown) => void;
  /** Whether the caller waits for the disk. */
  readonly durable: boolean;
}

/** What to do after the commit of a group. */
interface Outcome {
  /** Called as soon as reads show the work. */
  readonly shown: () => void;
  /** Notifies the caller. */
  readonly settle: () => void;
}

interface Options<T> {
  /** `false`: a lone unit resolves at its commit, which a power cut may undo. */
  readonly durable?: boolean;
  /** Called with the result as soon as reads show the work, before it is on the disk. */
  readonly onShown?: (value: T) => void;
}

/** The maximum number of units of work that share a commit: requests wait for all of them. */
const MAX_MEMBERS = 64;
const MAX_REST_MS = 3;

/**
 * Takes the write lock at the beginning. A transaction that first reads and then writes would fail at once with
 * `SQLITE_BUSY_SNAPSHOT` if another process committed between the two.
 */
export const BEGIN = 'begin immediate';

/**
 * Runs the work that arrives in the same turn of the event loop in one transaction, each unit in its own savepoint: on
 * SQLite, where transactions run one after the other anyway, a commit costs more than a dozen units. A failing unit rolls
 * back alone. Callers are notified once `sync` has made the commit durable; the next group works meanwhile.
 */
export function createGroupCommit<Tables>(executor: Kysely<Tables>, sync: () => Promise<void>) {
  const waiting: Unit<Kysely<Tables>>[] = [];
  let scheduled = false;
  let endedAt = 0;
  let restMs = 0;
  /** The groups that reads may show, but whose sync has not ended. */
  let unsynced = 0;
  /** Whether a group may be visible to reads whose sync has not begun. */
  let committing = false;
  /** The sync of the last group. */
  let lastSync: Promise<void> = Promise.resolve();

  /** Starts at once after a pause or a lone unit; else first rests as long as the last group took, so that the next one is larger. */
  function schedule(): void {
    const left = Math.min(restMs, restMs - (performance.now() - endedAt));
    if (left < 1) setImmediate(() => void flush());
    else setTimeout(() => void flush(), left);
  }

  /** Runs a unit in a savepoint; returns what to do after the commit. */
  async function runAlone(tx: Kysely<Tables>, unit: Unit<Kysely<Tables>>): Promise<Outcome> {
    await sql`savepoint one_of_group`.execute(tx);
    try {
      const outcome = await unit.work(tx);
      await sql`release one_of_group`.execute(tx);
      return outcome;
    } catch (error) {
      await sql`rollback to one_of_group`.execute(tx).catch(() => {
        throw error;
      });
      await sql`release one_of_group`.execute(tx);
      return { shown: () => {}, settle: () => unit.reject(error) };
    }
  }

  /** Resolves when the group is committed; its callers are notified once the commit is durable, or need not be. */
  async function runGroup(group: readonly Unit<Kysely<Tables>>[]): Promise<void> {
    const [first] = group;
    const rejectAll = (error: unknown): void => {
      for (const unit of group) unit.reject(error);
    };
    unsynced += 1;
    committing = true;
    try {
      const outcomes = await inTransaction(executor, BEGIN, async (tx) => {
        if (first && group.length === 1) return [await first.work(tx)];
        const all: Outcome[] = [];
        for (const unit of group) all.push(await runAlone(tx, unit));
        return all;
      });
      lastSync = sync();
      committing = false;
      const settle = () => {
        for (const each of outcomes) each.settle();
      };
      void lastSync.then(() => {
        unsynced -= 1;
        settle();
      }, rejectAll);
      for (const { shown } of outcomes) shown();
      // Beside others the caller waits, so that its next group is larger.
      if (first && group.length === 1 && !first.durable) settle();
    } catch (error) {
      unsynced -= 1;
      committing = false;
      rejectAll(error);
    }
  }

  async function flush(): Promise<void> {
    const startedAt = performance.now();
    const group = waiting.splice(0, MAX_MEMBERS);
    await runGroup(group);
    endedAt = performance.now();
    restMs = group.length > 1 ? Math.min(endedAt - startedAt, MAX_REST_MS) : 0;
    scheduled = waiting.length > 0;
    if (scheduled) schedule();
  }

  return {
    run: <T>(
      work: (tx: Kysely<Tables>) => Promise<T>,
      { durable = true, onShown = () => {} }: Options<T> = {},
    ): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        const settling = async (tx: Kysely<Tables>): Promise<Outcome> => {
          const value = await work(tx);
          return { shown: () => onShown(value), settle: () => resolve(value) };
        };
        waiting.push({ work: inContext(settling), reject, durable });
        if (scheduled) return;
        scheduled = true;
        schedule();
      }),

    /** Resolves once every commit that reads may show is durable. */
    durable: async (): Promise<void> => {
      if (unsynced > 0) await (committing ? sync() : lastSync);
    },
  };
}

/**
 * Keeps the asynchronous context of each caller instead of that of the first caller of the group. Nothing tracks the
 * destruction of the resource, which makes it cheap (0.1 µs).
 */
function inContext<Tx, T>(work: Work<Tx, T>): Work<Tx, T> {
  const resource = new AsyncResource('transaction', { requireManualDestroy: true });
  return (tx) => resource.runInAsyncScope(work, undefined, tx);
}
