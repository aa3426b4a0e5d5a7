import type { QueueName } from '../../database/tables.ts';
import type { Database } from '../../database/transaction.ts';
import { dueIds, openIds, type RowQueue } from '../due-store.ts';
import { createAdmission } from './admission.ts';
import { createItemsInHand } from './in-hand.ts';
import { loadSuspects, release } from './suspect-store.ts';

interface Probation {
  readonly aloneMs: number;
  readonly suspectMs: number;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: { now(): number };
  /** Identifies this process among all that share the database. */
  readonly owner: string;
}

export type CrashGuard = ReturnType<typeof createCrashGuard>;

/**
 * Guards against items that crash the process: after a crash, records each pending item before it is taken in hand, so
 * that the next start knows what may have ended the process. Suspects go last and one at a time. Without a crash, records
 * nothing.
 */
export function createCrashGuard({ database, clock, owner }: Dependencies) {
  const inHand = createItemsInHand();
  const admission = createAdmission({ database, clock, owner, inHand });
  let beganAt = 0;

  const isActive = (queue: QueueName): boolean => {
    const { isFirstPass, suspects } = inHand.of(queue);
    return isFirstPass || suspects.size > 0;
  };

  /** Returns the items that may be worked on now: all of them, unless the guard is active. */
  const admit = async (queue: QueueName, ids: readonly string[]): Promise<readonly string[]> =>
    isActive(queue) ? admission.admit(queue, ids) : ids;

  /** Returns whether a due time lies before the start of the guard. A clock that was stepped back moves that start. */
  const wasDueBefore = (dueAt: number): boolean => {
    beganAt = Math.min(beganAt, clock.now());
    return dueAt <= beganAt;
  };

  /** Records that the process has survived items. */
  async function survived(queue: QueueName, ids: readonly string[]): Promise<void> {
    const state = inHand.of(queue);
    const held = ids.filter((id) => state.inHand.has(id));
    if (held.length === 0) return;
    for (const id of held) {
      inHand.letGo(queue, id);
      state.suspects.delete(id);
      if (state.isFirstPass) state.survived.add(id);
    }
    await database.transaction((tx) => release(tx, { queue, owner }, held));
  }

  /** Called when all pending items except suspects are done, with the suspects that still exist. */
  async function endFirstPass(queue: QueueName, open: readonly string[]): Promise<void> {
    const state = inHand.of(queue);
    state.isFirstPass = false;
    state.survived.clear();
    const gone = [...state.suspects.keys()].filter((id) => !open.includes(id));
    if (gone.length === 0) return;
    await database.transaction((tx) => release(tx, { queue, owner }, gone));
    for (const id of gone) state.suspects.delete(id);
  }

  return {
    isActive,
    admit,
    survived,
    endFirstPass,
    wasDueBefore,

    /** Returns whether the process has survived an item that was in hand. */
    hasSurvived: (queue: QueueName, id: string): boolean => inHand.of(queue).survived.has(id),

    suspects: (queue: QueueName): string[] => [...inHand.of(queue).suspects.keys()],

    /** Releases together the items that have ended and those beside which others may begin. */
    async releaseEnded(queue: QueueName, isUnderway: (id: string) => boolean): Promise<void> {
      const { inHand: begun, fresh } = inHand.of(queue);
      const ended = [...begun].filter((id) => !fresh.has(id) && !isUnderway(id));
      await survived(queue, ended);
    },

    /**
     * For work whose duration depends on others: other items begin beside it after a while, and other suspects a while later.
     * The item stays in hand.
     */
    onProbation(queue: QueueName, ids: readonly string[], { aloneMs, suspectMs }: Probation): void {
      const state = inHand.of(queue);
      if (!ids.some((id) => state.inHand.has(id))) return;
      setTimeout(() => {
        for (const id of ids) state.fresh.delete(id);
      }, aloneMs).unref();
      const suspect = ids.find((id) => id === inHand.suspect());
      if (suspect !== undefined) setTimeout(() => inHand.allowOthersBeside(suspect), suspectMs).unref();
    },

    /** Works on the due rows of a queue without lanes; returns the number of processed rows. */
    async processDue(
      line: RowQueue,
      limit: number,
      work: (ids: readonly string[]) => Promise<number>,
    ): Promise<number> {
      const { name: queue } = line;
      const now = clock.now();
      const suspects = [...inHand.of(queue).suspects.keys()];
      const due = await dueIds(database.read, line, { now, limit, except: suspects });
      if (due[0] === undefined || !wasDueBefore(due[0].due_at))
        await endFirstPass(queue, await openIds(database.read, line, suspects));
      const next =
        due.length > 0 && !admission.isTurnOfSuspects()
          ? due
          : await dueIds(database.read, line, { now, limit, only: suspects });
      const ids = await admit(
        queue,
        next.map(({ id }) => id),
      );
      if (ids.length === 0) return 0;
      try {
        return await work(ids);
      } finally {
        await survived(queue, ids);
      }
    },

    /** Activates the guard for queues whose process may have died; remaining suspects go last at any start. */
    async begin(queues: readonly QueueName[]): Promise<void> {
      beganAt = clock.now();
      for (const queue of queues) inHand.of(queue).isFirstPass = true;
      for (const { queue, item_id, deaths } of await loadSuspects(database.read)) {
        const state = inHand.of(queue);
        state.isFirstPass = true;
        if (!state.inHand.has(item_id)) state.suspects.set(item_id, deaths);
      }
    },
  };
}
