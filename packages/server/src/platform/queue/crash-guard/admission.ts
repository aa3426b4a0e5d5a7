import type { QueueName } from '../../database/tables.ts';
import type { Database } from '../../database/transaction.ts';
import type { ItemsInHand } from './in-hand.ts';
import { holdAlone, holdTogether } from './suspect-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: { now(): number };
  /** Identifies this process among all that share the database. */
  readonly owner: string;
  readonly inHand: ItemsInHand;
}

/**
 * While suspects wait, no other item begins for this long at this interval; otherwise a busy hub would never run
 * suspects alone.
 */
const TURN_MS = 200;
const TURNS_EVERY_MS = 2_000;

/** Decides which items may be worked on: unsuspected items together, or one suspect alone in its turn. */
export function createAdmission({ database, clock, owner, inHand }: Dependencies) {
  let turnAt = clock.now() - TURN_MS;

  function isTurnOfSuspects(): boolean {
    if (inHand.suspect() !== undefined || !inHand.isAnySuspected()) return false;
    const now = clock.now();
    // After the clock was stepped back, counting continues from its new time.
    if (now < turnAt) turnAt = now - TURN_MS;
    if (now - turnAt >= TURNS_EVERY_MS) turnAt = now;
    return now - turnAt < TURN_MS;
  }

  /** Takes items in hand together; returns the items that no other process has in hand. */
  async function admitUnsuspected(queue: QueueName, ids: readonly string[]): Promise<readonly string[]> {
    for (const id of ids) inHand.take(queue, id);
    let held: ReadonlySet<string> = new Set();
    try {
      held = await database.transaction((tx) => holdTogether(tx, { queue, owner }, ids));
    } finally {
      for (const id of ids) if (!held.has(id)) inHand.letGo(queue, id);
    }
    for (const id of ids) if (!held.has(id)) inHand.of(queue).suspects.set(id, 0);
    return [...held];
  }

  /** Takes the first available suspect in hand; suspects with fewer deaths come first. */
  async function admitSuspect(queue: QueueName, ids: readonly string[]): Promise<readonly string[]> {
    const { suspects } = inHand.of(queue);
    const deaths = (id: string) => suspects.get(id) ?? 0;
    for (const id of ids.filter((each) => suspects.has(each)).sort((one, other) => deaths(one) - deaths(other))) {
      inHand.takeAlone(queue, id);
      const isHeld = await database
        .transaction((tx) => holdAlone(tx, { queue, owner }, id))
        .catch((error: unknown) => {
          inHand.letGo(queue, id);
          throw error;
        });
      if (isHeld) return [id];
      inHand.letGo(queue, id);
    }
    return [];
  }

  return {
    isTurnOfSuspects,

    /**
     * Returns the items that may be worked on now, noted durably as in hand: the unsuspected ones, otherwise one suspect. When
     * a suspect begins, nothing else has just begun in any queue, so that nothing else can be the cause of a death.
     */
    async admit(queue: QueueName, ids: readonly string[]): Promise<readonly string[]> {
      const state = inHand.of(queue);
      const known = ids.filter((id) => state.survived.has(id) || state.inHand.has(id));
      const fresh = ids.filter((id) => !known.includes(id) && !state.suspects.has(id));
      const suspect = inHand.suspect();
      if (suspect !== undefined && inHand.isFresh(suspect)) return known;
      if (fresh.length > 0 && !isTurnOfSuspects()) return [...known, ...(await admitUnsuspected(queue, fresh))];
      if (suspect !== undefined || inHand.isAnyFresh()) return known;
      return [...known, ...(await admitSuspect(queue, ids))];
    },
  };
}
