import type { Clock } from '../../clock.ts';
import type { QueueName } from '../../database/tables.ts';
import type { Database } from '../../database/transaction.ts';
import type { Logger } from '../../logger.ts';
import type { SetAside } from '../dead-letters.ts';
import type { CrashGuard } from './crash-guard.ts';
import { deleteProcess, otherProcesses, recordHeartbeat } from './process-store.ts';
import { releaseAll } from './suspect-store.ts';
import { countDeaths, setAsideDeadly } from './suspects.ts';

/**
 * Processes that share a database send heartbeats at this interval. After a few checks in a row without one, others take over the
 * lanes of a process; after many, it counts as dead. Checks are counted because the clocks of machines differ and are adjusted.
 */
const LOOK_MS = 1_000;
const SILENT_LOOKS = 3;
const DEAD_LOOKS = 20;
/** Before the first checks of a start, a process last seen this long ago counts as dead by any clock. */
const LONG_AGO_MS = 60 * 60 * 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly owner: string;
  readonly crashGuard: CrashGuard;
  /** Active after the death of a process. */
  readonly queues: readonly QueueName[];
  readonly setAside: SetAside;
  readonly logger: Logger & { warn(details: object, message: string): void };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
}

/** The last heartbeat of another process, and the number of checks without a new one. */
interface Other {
  readonly id: string;
  readonly seenAt: number;
  readonly silentLooks: number;
}

export type Processes = ReturnType<typeof createProcesses>;

/** Distinguishes clean exits from crashes: a process deletes its row on a clean exit, and leaves the row behind in a crash. */
export function createProcesses({
  database,
  clock,
  owner,
  crashGuard,
  queues,
  setAside,
  logger,
  elapsed,
}: Dependencies) {
  const now = elapsed ?? performance.now.bind(performance);
  const isShared = database.engine === 'postgres';
  let lookedAt = now();
  let beatAt: number | undefined;
  let lapses = 0;
  let seenAt = 0;
  let others: readonly Other[] = [];

  /** Whether the others may have counted as many checks without a heartbeat of this process as make it silent. */
  const isLate = (): boolean => isShared && beatAt !== undefined && now() - beatAt > (SILENT_LOOKS - 1) * LOOK_MS;

  /** Records a heartbeat, always at a later time than the previous one, even if the clock was set back, and looks for others. */
  async function look(): Promise<void> {
    if (isLate()) lapses++;
    seenAt = Math.max(clock.now(), seenAt + 1);
    const at = now();
    const rows = await database.transaction(
      async (tx) => {
        await recordHeartbeat(tx, owner, seenAt);
        return otherProcesses(tx, owner);
      },
      { durable: false },
    );
    beatAt = at;
    const before = new Map(others.map((other) => [other.id, other]));
    others = rows.map(({ id, seen_at }) => {
      const known = before.get(id);
      return { id, seenAt: seen_at, silentLooks: known?.seenAt === seen_at ? known.silentLooks + 1 : 0 };
    });
  }

  /** Counts the deaths of processes for their items in hand; returns whether any of them still counted as alive. */
  async function countDeadProcesses(dead: readonly Other[]): Promise<boolean> {
    if (dead.length === 0) return false;
    const hasChanged = await countDeaths(database, dead);
    await setAsideDeadly(database, setAside, logger);
    if (hasChanged)
      logger.warn({}, 'a process of the hub did not exit cleanly: the crash guard is active for what was pending');
    return hasChanged;
  }

  return {
    /** Identifies this process. */
    id: owner,

    /** Returns the processes that have sent no heartbeat for seconds, dead or slow, with the time of the last one by their clocks. */
    silent: (): Pick<Other, 'id' | 'seenAt'>[] => others.filter(({ silentLooks }) => silentLooks >= SILENT_LOOKS),

    /** Returns whether no other process was there at the last look; on SQLite there never is one. */
    isAlone: (): boolean => !isShared || others.length === 0,

    /** Returns how often this process may have been silent for the others: what it held before may be theirs. */
    lapses: (): number => (isLate() ? ++lapses : lapses),

    /** Called before any work begins. Other rows may belong to processes that have died, which is not known yet. */
    async begin(): Promise<void> {
      await look();
      const mayHaveDied = others.length > 0;
      // On SQLite the lock on the folder proves that no other process runs.
      await countDeadProcesses(others.filter((other) => !isShared || other.seenAt < clock.now() - LONG_AGO_MS));
      await crashGuard.begin(mayHaveDied ? queues : []);
    },

    /**
     * Called regularly: sends the heartbeat of this process, and looks for others that have died. Returns whether one has just
     * become silent.
     */
    async checkProcesses(): Promise<boolean> {
      // Half of it, because a timer of a second may end a moment early.
      if (!isShared || now() - lookedAt < LOOK_MS / 2) return false;
      lookedAt = now();
      await look();
      if (await countDeadProcesses(others.filter(({ silentLooks }) => silentLooks >= DEAD_LOOKS)))
        await crashGuard.begin(queues);
      return others.some(({ silentLooks }) => silentLooks === SILENT_LOOKS);
    },

    /** The last action of a clean exit. */
    end: (): Promise<void> =>
      database.transaction(async (tx) => {
        await releaseAll(tx, owner);
        await deleteProcess(tx, owner);
      }),
  };
}
