import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { retryDelayMs } from '../policy.ts';
import { lockDue, lockMirror, updateMirror } from '../store.ts';
import type { MirrorRow } from '../tables.ts';
import { changeAfter, type Outcome } from './outcome.ts';

export type SyncRecords = ReturnType<typeof createSyncRecords>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: () => number;
}

/** Creates the functions that store the beginning and the end of syncs. */
export function createSyncRecords({ database, clock, random }: Dependencies) {
  return {
    /** Takes a due mirror in hand. Should the process die, the mirror is due again, later after each death. */
    take: (id: string): Promise<MirrorRow | undefined> =>
      database.transaction(async (tx) => {
        const mirror = await lockDue(tx, id, clock.now());
        if (!mirror) return undefined;
        const unfinished = mirror.unfinished + 1;
        const delay = retryDelayMs(mirror.failures + unfinished, mirror.interval_seconds);
        const change = { unfinished, due_at: clock.now() + delay };
        await updateMirror(tx, mirror, change);
        return { ...mirror, ...change };
      }),

    /** Stores what came of a sync. A mirror that was asked to sync meanwhile stays due. */
    end: (mirror: MirrorRow, outcome: Outcome, durationMs: number): Promise<void> =>
      database.transaction(async (tx) => {
        const current = await lockMirror(tx, mirror);
        if (!current) return;
        const change = changeAfter(mirror, outcome, { now: clock.now(), durationMs, random: random() });
        const isAsked = current.due_at !== mirror.due_at;
        await updateMirror(tx, mirror, isAsked ? { ...change, due_at: current.due_at } : change);
      }),

    /** Gives a mirror back unsynced, for whichever process comes first. */
    async giveBack(mirror: MirrorRow): Promise<void> {
      const change = { unfinished: mirror.unfinished - 1, due_at: clock.now(), progress: null };
      await database.transaction((tx) => updateMirror(tx, mirror, change));
    },

    async storeProgress(mirror: MirrorRow, progress: string): Promise<void> {
      await database.transaction((tx) => updateMirror(tx, mirror, { progress }));
    },
  };
}
