import type { Clock } from '../clock.ts';
import type { Database } from '../database/transaction.ts';
import type { Care } from './care.ts';
import type { SetAside } from './dead-letters.ts';
import { countDeaths, releaseAll } from './suspects.ts';

/** Where processes share a database, each says so often that it is there, and is taken for dead after so long. */
const SEEN_EVERY_MS = 5_000;
const DEAD_AFTER_MS = 20_000;

const QUEUES = ['events', 'tasks', 'deliveries', 'mails', 'jobs'] as const;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly owner: string;
  readonly care: Care;
  readonly setAside: SetAside;
  readonly logger: { warn(details: object, message: string): void };
}

/** Tells clean ends from unclean ones: the row of a process goes at a clean end, and stays behind at any other. */
export function createProcesses({ database, clock, owner, care, setAside, logger }: Dependencies) {
  const shared = database.engine === 'postgres';
  let seenAt = 0;

  /** Removes the rows of dead processes. On SQLite the lock on the folder proves that no other one runs. */
  async function bury(): Promise<boolean> {
    let dead = database.executor.deleteFrom('processes').where('id', '<>', owner);
    if (shared) dead = dead.where('seen_at', '<', clock.now() - DEAD_AFTER_MS);
    const rows = await dead.returning('id').execute();
    if (rows.length > 0) await countDeaths(database, setAside);
    return rows.length > 0;
  }

  return {
    /** Before anything works. Where other rows are there, their processes may have died: nobody knows yet. */
    async begin(): Promise<void> {
      const now = clock.now();
      seenAt = now;
      const others = await database.executor.selectFrom('processes').select('id').limit(1).execute();
      await database.executor.insertInto('processes').values({ id: owner, started_at: now, seen_at: now }).execute();
      if (others.length > 0 && (await bury()))
        logger.warn({}, 'a process of the hub did not end well: what was pending is worked on with care');
      await care.begin(others.length > 0 ? QUEUES : []);
    },

    /** From time to time: says that this process is there, and looks for others that are not any more. */
    async look(): Promise<void> {
      const now = clock.now();
      const passed = now - seenAt;
      if (!shared || (passed >= 0 && passed < SEEN_EVERY_MS)) return;
      seenAt = now;
      await database.executor
        .insertInto('processes')
        .values({ id: owner, started_at: now, seen_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
        .execute();
      if (await bury()) await care.begin(QUEUES);
    },

    /** The last thing of a clean end. */
    end: (): Promise<void> =>
      database.transaction(async (tx) => {
        await releaseAll(tx, owner);
        await tx.deleteFrom('processes').where('id', '=', owner).execute();
      }),
  };
}
