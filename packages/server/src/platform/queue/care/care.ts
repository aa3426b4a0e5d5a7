import type { QueueName } from '../../database/tables.ts';
import type { Database } from '../../database/transaction.ts';
import { dueIds, openIds, type RowQueue } from '../due-store.ts';
import { createCareAdmission } from './care-admission.ts';
import { createInHand } from './in-hand.ts';
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

export type Care = ReturnType<typeof createCare>;

/**
 * Works with care on items that were pending when a process died: notes each item before taking it in hand, so that the
 * next start knows what may have ended the process. Suspects go last and one at a time. Without a death, notes nothing.
 */
export function createCare({ database, clock, owner }: Dependencies) {
  const inHand = createInHand();
  const admission = createCareAdmission({ database, clock, owner, inHand });
  let beganAt = 0;

  const isOn = (queue: QueueName): boolean => {
    const { isFirstPass, suspects } = inHand.of(queue);
    return isFirstPass || suspects.size > 0;
  };

  /** Returns the items that may be worked on now: all of them, unless there is reason for care. */
  const admit = async (queue: QueueName, ids: readonly string[]): Promise<readonly string[]> =>
    isOn(queue) ? admission.admit(queue, ids) : ids;

  /** Returns whether a due time lies before the beginning of care. A clock that was stepped back moves that beginning. */
  const wasDueBefore = (dueAt: number): boolean => {
    beganAt = Math.min(beganAt, clock.now());
    return dueAt <= beganAt;
  };

  /** Notes that the process has survived items. */
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

  /** Called when all pending items except suspects are done, with the suspects that still exist. */
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
      const care = inHand.of(queue);
      if (!ids.some((id) => care.inHand.has(id))) return;
      setTimeout(() => {
        for (const id of ids) care.fresh.delete(id);
      }, aloneMs).unref();
      const suspect = ids.find((id) => id === inHand.suspect());
      if (suspect !== undefined) setTimeout(() => inHand.allowOthersBeside(suspect), suspectMs).unref();
    },

    /** Works on the due rows of a queue without lanes; returns the number of processed rows. */
    async carefully(line: RowQueue, limit: number, work: (ids: readonly string[]) => Promise<number>): Promise<number> {
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

    /** Begins to work with care if processes may have died; remaining suspects go last at any start. */
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
