import type { QueueName } from '../database/tables.ts';
import type { Database } from '../database/transaction.ts';
import { dueIds, openIds, type Queue } from './due.ts';
import { holdAll, holdOne, loadSuspects, release } from './suspects.ts';

interface QueueState {
  /** What was pending when the process began is not through yet. */
  isFirstPass: boolean;
  /** Items that were in hand when a process died, and how often; others that another process has in hand now. */
  readonly suspects: Map<string, number>;
  readonly inHand: Set<string>;
  /** Of those in hand the ones that have just begun: nobody can tell yet what they do to the process. */
  readonly fresh: Set<string>;
  /** Items that were in hand, and nothing happened. */
  readonly survived: Set<string>;
}

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

/** While suspects wait, nothing else is begun for so long, every so often: on a busy hub they would never be alone. */
const TURN_MS = 200;
const TURNS_EVERY_MS = 2_000;

export type Care = ReturnType<typeof createCare>;

/**
 * Works with care on what was pending when a process died: what is taken in hand is noted first, so that the next start
 * knows what may have ended the process. Suspects go last and one at a time. Otherwise nothing is noted.
 */
export function createCare({ database, clock, owner }: Dependencies) {
  const states = new Map<QueueName, QueueState>();
  let beganAt = 0;
  let suspectInHand: string | undefined;
  let turnAt = clock.now() - TURN_MS;

  const stateOf = (queue: QueueName): QueueState => {
    const known = states.get(queue);
    if (known) return known;
    const state: QueueState = {
      isFirstPass: false,
      suspects: new Map(),
      inHand: new Set(),
      fresh: new Set(),
      survived: new Set(),
    };
    states.set(queue, state);
    return state;
  };

  const isOn = (queue: QueueName): boolean => {
    const state = states.get(queue);
    return state !== undefined && (state.isFirstPass || state.suspects.size > 0);
  };

  /** Whether what is due then was due when the work with care began. A clock that is put back began with it. */
  const wasDueBefore = (dueAt: number): boolean => {
    beganAt = Math.min(beganAt, clock.now());
    return dueAt <= beganAt;
  };

  const hasBegunSomething = () => [...states.values()].some(({ fresh }) => fresh.size > 0);

  const isTurnOfSuspects = (): boolean => {
    if (suspectInHand !== undefined || ![...states.values()].some(({ suspects }) => suspects.size > 0)) return false;
    const now = clock.now();
    // A clock that was put back is counted on from where it is.
    if (now < turnAt) turnAt = now - TURN_MS;
    if (now - turnAt >= TURNS_EVERY_MS) turnAt = now;
    return now - turnAt < TURN_MS;
  };

  /**
   * Those of the items that may be worked on now, durably in hand: the unsuspected, or else one suspect. When a suspect
   * begins, nothing else has just begun in any queue, so that nothing else can be what ends the process.
   */
  async function admit(queue: QueueName, ids: readonly string[]): Promise<readonly string[]> {
    if (!isOn(queue)) return ids;
    const state = stateOf(queue);
    const known = ids.filter((id) => state.survived.has(id) || state.inHand.has(id));
    const fresh = ids.filter((id) => !known.includes(id) && !state.suspects.has(id));
    if (suspectInHand !== undefined && isFresh(suspectInHand)) return known;
    if (fresh.length > 0 && !isTurnOfSuspects()) {
      for (const id of fresh) take(state, id);
      let held: ReadonlySet<string> = new Set();
      try {
        held = await database.transaction((tx) => holdAll(tx, { queue, owner }, fresh));
      } finally {
        for (const id of fresh) if (!held.has(id)) letGo(state, id);
      }
      for (const id of fresh) if (!held.has(id)) state.suspects.set(id, 0);
      return [...known, ...held];
    }
    if (suspectInHand !== undefined || hasBegunSomething()) return known;
    const suspects = ids.filter((id) => state.suspects.has(id));
    suspects.sort((one, other) => (state.suspects.get(one) ?? 0) - (state.suspects.get(other) ?? 0));
    for (const id of suspects) {
      suspectInHand = id;
      take(state, id);
      const isHeld = await database
        .transaction((tx) => holdOne(tx, { queue, owner }, id))
        .catch((error: unknown) => {
          letGo(state, id);
          throw error;
        });
      if (isHeld) return [...known, id];
      letGo(state, id);
    }
    return known;
  }

  const isFresh = (id: string): boolean => [...states.values()].some(({ fresh }) => fresh.has(id));

  function take(state: QueueState, id: string): void {
    state.inHand.add(id);
    state.fresh.add(id);
  }

  function letGo(state: QueueState, id: string): void {
    state.inHand.delete(id);
    state.fresh.delete(id);
    if (suspectInHand === id) suspectInHand = undefined;
  }

  /** The process is still there. */
  async function survived(queue: QueueName, ids: readonly string[]): Promise<void> {
    const state = stateOf(queue);
    const held = ids.filter((id) => state.inHand.has(id));
    if (held.length === 0) return;
    for (const id of held) {
      letGo(state, id);
      state.suspects.delete(id);
      if (state.isFirstPass) state.survived.add(id);
    }
    await database.transaction((tx) => release(tx, { queue, owner }, held));
  }

  /** What was pending is through, but for suspects: those of them that are still there are given. */
  async function endFirstPass(queue: QueueName, open: readonly string[]): Promise<void> {
    const state = stateOf(queue);
    state.isFirstPass = false;
    state.survived.clear();
    const gone = [...state.suspects.keys()].filter((id) => !open.includes(id));
    if (gone.length === 0) return;
    await database.transaction((tx) => release(tx, { queue, owner }, gone));
    for (const id of gone) state.suspects.delete(id);
  }

  return {
    isOn,
    admit,
    survived,
    endFirstPass,
    wasDueBefore,

    /** Whether the process is still there after an item was in hand. */
    hasSurvived: (queue: QueueName, id: string): boolean => states.get(queue)?.survived.has(id) === true,

    suspects: (queue: QueueName): string[] => [...(states.get(queue)?.suspects.keys() ?? [])],

    /** Lets go, all together, of what others may be begun beside and what has ended. */
    async releaseEnded(queue: QueueName, isUnderway: (id: string) => boolean): Promise<void> {
      const { inHand, fresh } = stateOf(queue);
      const ended = [...inHand].filter((id) => !fresh.has(id) && !isUnderway(id));
      await survived(queue, ended);
    },

    /**
     * For what takes as long as others let it: others are begun beside it after a while, and other suspects a while later.
     * It stays in hand.
     */
    onProbation(queue: QueueName, ids: readonly string[], { aloneMs, suspectMs }: Probation): void {
      const state = states.get(queue);
      if (!state || !ids.some((id) => state.inHand.has(id))) return;
      setTimeout(() => {
        for (const id of ids) state.fresh.delete(id);
      }, aloneMs).unref();
      const suspect = ids.find((id) => id === suspectInHand);
      if (suspect === undefined) return;
      setTimeout(() => {
        if (suspectInHand === suspect) suspectInHand = undefined;
      }, suspectMs).unref();
    },

    /** Works on what is due in a queue that is one line of rows; returns how much was done. */
    async carefully(queue: Queue, limit: number, work: (ids: readonly string[]) => Promise<number>): Promise<number> {
      const now = clock.now();
      const suspects = [...stateOf(queue).suspects.keys()];
      const due = await dueIds(database.read, queue, { now, limit, butNot: suspects });
      if (due[0] === undefined || !wasDueBefore(due[0].due_at))
        await endFirstPass(queue, await openIds(database.read, queue, suspects));
      const next =
        due.length > 0 && !isTurnOfSuspects()
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
      for (const queue of queues) stateOf(queue).isFirstPass = true;
      for (const { queue, item_id, deaths } of await loadSuspects(database.read)) {
        const state = stateOf(queue);
        state.isFirstPass = true;
        if (!state.inHand.has(item_id)) state.suspects.set(item_id, deaths);
      }
    },
  };
}
