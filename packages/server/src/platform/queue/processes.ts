import type { Clock } from '../clock.ts';
import type { Database } from '../database/transaction.ts';
import type { Logger } from '../logger.ts';
import type { Care } from './care.ts';
import type { SetAside } from './dead-letters.ts';
import { countDeaths, releaseAll, setAsideDeadly } from './suspects.ts';

/**
 * Where processes share a database, each says so often that it is there, and is taken for dead when another one has
 * found it silent so often in a row. Looks are counted, and clocks not compared: they differ, and are set.
 */
const LOOK_MS = 5_000;
const MAX_SILENT_LOOKS = 4;
/** At a start nobody has looked yet: what was last seen so long ago is dead by any clock. */
const LONG_AGO_MS = 60 * 60 * 1000;

const QUEUES = ['events', 'tasks', 'deliveries', 'mails', 'jobs', 'scheduled-jobs'] as const;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly owner: string;
  readonly care: Care;
  readonly setAside: SetAside;
  readonly logger: Logger & { warn(details: object, message: string): void };
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed?: () => number;
}

/** Another process as it was when it was last seen, and how often it has said nothing since. */
interface Other {
  readonly id: string;
  readonly seenAt: number;
  readonly silentLooks: number;
}

/** Tells clean ends from unclean ones: the row of a process goes at a clean end, and stays behind at any other. */
export function createProcesses({ database, clock, owner, care, setAside, logger, elapsed }: Dependencies) {
  const now = elapsed ?? performance.now.bind(performance);
  const isShared = database.engine === 'postgres';
  let lookedAt = now();
  let seenAt = 0;
  let others: readonly Other[] = [];

  /** Never the same as before, also where the clock was put back. */
  async function sayThere(): Promise<void> {
    seenAt = Math.max(clock.now(), seenAt + 1);
    await database.transaction((tx) =>
      tx
        .insertInto('processes')
        .values({ id: owner, started_at: seenAt, seen_at: seenAt })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt }))
        .execute(),
    );
  }

  async function lookForOthers(): Promise<void> {
    const before = new Map(others.map((other) => [other.id, other]));
    const rows = await database.read.selectFrom('processes').selectAll().where('id', '<>', owner).execute();
    others = rows.map(({ id, seen_at }) => {
      const known = before.get(id);
      return { id, seenAt: seen_at, silentLooks: known?.seenAt === seen_at ? known.silentLooks + 1 : 0 };
    });
  }

  /** What they had in hand counts with their end; returns whether any of them was still taken for alive. */
  async function bury(dead: readonly Other[]): Promise<boolean> {
    if (dead.length === 0) return false;
    const isNews = await countDeaths(database, dead);
    await setAsideDeadly(database, setAside, logger);
    if (isNews) logger.warn({}, 'a process of the hub did not end well: what was pending is worked on with care');
    return isNews;
  }

  return {
    /** Before anything works. Where other rows are there, their processes may have died: nobody knows yet. */
    async begin(): Promise<void> {
      await sayThere();
      await lookForOthers();
      const mayHaveDied = others.length > 0;
      // On SQLite the lock on the folder proves that no other one runs.
      await bury(others.filter((other) => !isShared || other.seenAt < clock.now() - LONG_AGO_MS));
      await care.begin(mayHaveDied ? QUEUES : []);
    },

    /** From time to time: says that this process is there, and looks for others that are not any more. */
    async look(): Promise<void> {
      if (!isShared || now() - lookedAt < LOOK_MS) return;
      lookedAt = now();
      await sayThere();
      await lookForOthers();
      if (await bury(others.filter(({ silentLooks }) => silentLooks >= MAX_SILENT_LOOKS))) await care.begin(QUEUES);
    },

    /** The last thing of a clean end. */
    end: (): Promise<void> =>
      database.transaction(async (tx) => {
        await releaseAll(tx, owner);
        await tx.deleteFrom('processes').where('id', '=', owner).execute();
      }),
  };
}
