import type { QueueName } from '../database/tables.ts';
import type { Database } from '../database/transaction.ts';
import { createCareAdmission } from './care-admission.ts';
import { dueIds, openIds, type Queue } from './due.ts';
import { createInHand } from './in-hand.ts';
import { loadSuspects, release } from './suspects.ts';

interface Probation {
  readonly aloneMs: number;
  readonly suspectMs: number;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: { now(): number };
  /** Names this process among all that share the database. */
  readonly owner: string;
}

export type Care = ReturnType<typeof createCare>;

/**
 * Works with care on what was pending when a process died: what is taken in hand is noted first, so that the next start
 * knows what may have ended the process. Suspects go last and one at a time. Otherwise nothing is noted.
 */
export function createCare({ database, clock, owner }: Dependencies) {
  const inHand = createInHand();
  const admission = createCareAdmission({ database, clock, owner, inHand });
  let beganAt = 0;

  const isOn = (queue: QueueName): boolean => {
    const { isFirstPass, suspects } = inHand.of(queue);
    return isFirstPass || suspects.size > 0;
  };

  /** Those of the items that may be worked on now: all of them, unless there is reason for care. */
  const admit = async (queue: QueueName, ids: readonly string[]): Promise<readonly string[]> =>
    isOn(queue) ? admission.admit(queue, ids) : ids;

  /** Whether what is due then was due when the work with care began. A clock that is put back began with it. */
  const wasDueBefore = (dueAt: number): boolean => {
    beganAt = Math.min(beganAt, clock.now());
    return dueAt <= beganAt;
  };

  /** The process is still there. */
  async function survived(queue: QueueName, ids: readonly string[]): Promise<void> {
    const care = inHand.of(queue);
    const held = ids.filter((id) => care.inHand.has(id));
    if (held.length === 0) return;
    for (const id of held) {
      inHand.letGo(queue, id);
      care.suspects.delete(id);
      if (care.isFirstPass) care.survived.add(id);
    }
    await database.transaction((tx) => release(tx, { queue, owner }, held));
  }

  /** What was pending is through, but for suspects: those of them that are still there are given. */
  async function endFirstPass(queue: QueueName, open: readonly string[]): Promise<void> {
    const care = inHand.of(queue);
    care.isFirstPass = false;
    care.survived.clear();
    const gone = [...care.suspects.keys()].filter((id) => !open.includes(id));
    if (gone.length === 0) return;
    await database.transaction((tx) => release(tx, { queue, owner }, gone));
    for (const id of gone) care.suspects.delete(id);
  }

  return {
    isOn,
    admit,
    survived,
    endFirstPass,
    wasDueBefore,

    /** Whether the process is still there after an item was in hand. */
    hasSurvived: (queue: QueueName, id: string): boolean => inHand.of(queue).survived.has(id),

    suspects: (queue: QueueName): string[] => [...inHand.of(queue).suspects.keys()],

    /** Lets go, all together, of what others may be begun beside and what has ended. */
    async releaseEnded(queue: QueueName, isUnderway: (id: string) => boolean): Promise<void> {
      const { inHand: begun, fresh } = inHand.of(queue);
      const ended = [...begun].filter((id) => !fresh.has(id) && !isUnderway(id));
      await survived(queue, ended);
    },

    /**
     * For what takes as long as others let it: others are begun beside it after a while, and other suspects a while later.
     * It stays in hand.
     */
    onProbation(queue: QueueName, ids: readonly string[], { aloneMs, suspectMs }: Probation): void {
      const care = inHand.of(queue);
      if (!ids.some((id) => care.inHand.has(id))) return;
      setTimeout(() => {
        for (const id of ids) care.fresh.delete(id);
      }, aloneMs).unref();
      const suspect = ids.find((id) => id === inHand.suspect());
      if (suspect !== undefined) setTimeout(() => inHand.allowOthersBeside(suspect), suspectMs).unref();
    },

    /** Works on what is due in a queue that is one line of rows; returns how much was done. */
    async carefully(queue: Queue, limit: number, work: (ids: readonly string[]) => Promise<number>): Promise<number> {
      const now = clock.now();
      const suspects = [...inHand.of(queue).suspects.keys()];
      const due = await dueIds(database.read, queue, { now, limit, butNot: suspects });
      if (due[0] === undefined || !wasDueBefore(due[0].due_at))
        await endFirstPass(queue, await openIds(database.read, queue, suspects));
      const next =
        due.length > 0 && !admission.isTurnOfSuspects()
          ? due
          : await dueIds(database.read, queue, { now, limit, only: suspects });
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

    /** From now on with care, where processes may have died; suspects that are left go last at any start. */
    async begin(queues: readonly QueueName[]): Promise<void> {
      beganAt = clock.now();
      for (const queue of queues) inHand.of(queue).isFirstPass = true;
      for (const { queue, item_id, deaths } of await loadSuspects(database.read)) {
        const care = inHand.of(queue);
        care.isFirstPass = true;
        if (!care.inHand.has(item_id)) care.suspects.set(item_id, deaths);
      }
    },
  };
}
