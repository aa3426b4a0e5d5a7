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
  /** Items that were in hand, and nothing happened. */
  readonly survived: Set<string>;
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
  const states = new Map<QueueName, QueueState>();
  let beganAt = 0;
  let suspectInHand: string | undefined;

  const stateOf = (queue: QueueName): QueueState => {
    const known = states.get(queue);
    if (known) return known;
    const state = { isFirstPass: false, suspects: new Map(), inHand: new Set<string>(), survived: new Set<string>() };
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

  const everythingInHand = () => [...states.values()].reduce((sum, { inHand }) => sum + inHand.size, 0);

  /**
   * Those of the items that may be worked on now, durably in hand: the unsuspected, or else one suspect. A suspect is the
   * only thing in hand in all queues, so that nothing else can be what ended the process.
   */
  async function admit(queue: QueueName, ids: readonly string[]): Promise<readonly string[]> {
    if (!isOn(queue)) return ids;
    const state = stateOf(queue);
    const known = ids.filter((id) => state.survived.has(id) || state.inHand.has(id));
    const fresh = ids.filter((id) => !known.includes(id) && !state.suspects.has(id));
    if (suspectInHand !== undefined) return known;
    if (fresh.length > 0) {
      for (const id of fresh) state.inHand.add(id);
      let held: ReadonlySet<string> = new Set();
      try {
        held = await holdAll(database.executor, { queue, owner }, fresh);
      } finally {
        for (const id of fresh) if (!held.has(id)) state.inHand.delete(id);
      }
      for (const id of fresh) if (!held.has(id)) state.suspects.set(id, 0);
      return [...known, ...held];
    }
    if (everythingInHand() > 0) return known;
    const suspects = ids.filter((id) => state.suspects.has(id));
    suspects.sort((one, other) => (state.suspects.get(one) ?? 0) - (state.suspects.get(other) ?? 0));
    for (const id of suspects) {
      suspectInHand = id;
      state.inHand.add(id);
      const isHeld = await holdOne(database.executor, { queue, owner }, id).catch((error: unknown) => {
        letGo(state, id);
        throw error;
      });
      if (isHeld) return [...known, id];
      letGo(state, id);
    }
    return known;
  }

  function letGo(state: QueueState, id: string): void {
    state.inHand.delete(id);
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
    await release(database.executor, { queue, owner }, held);
  }

  /** What was pending is through, but for suspects: those of them that are still there are given. */
  async function endFirstPass(queue: QueueName, open: readonly string[]): Promise<void> {
    const state = stateOf(queue);
    state.isFirstPass = false;
    state.survived.clear();
    const gone = [...state.suspects.keys()].filter((id) => !open.includes(id));
    if (gone.length === 0) return;
    await release(database.executor, { queue, owner }, gone);
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

    /** The same a while later, for what takes as long as others let it. */
    onProbation(queue: QueueName, ids: readonly string[], ms: number): void {
      const state = states.get(queue);
      if (!state || !ids.some((id) => state.inHand.has(id))) return;
      setTimeout(() => void survived(queue, ids).catch(() => {}), ms).unref();
    },

    /** Works on what is due in a queue that is one line of rows; returns how much was done. */
    async carefully(queue: Queue, limit: number, work: (ids: readonly string[]) => Promise<number>): Promise<number> {
      const now = clock.now();
      const suspects = [...stateOf(queue).suspects.keys()];
      const due = await dueIds(database.executor, queue, { now, limit, butNot: suspects });
      if (due[0] === undefined || !wasDueBefore(due[0].due_at))
        await endFirstPass(queue, await openIds(database.executor, queue, suspects));
      const next = due.length > 0 ? due : await dueIds(database.executor, queue, { now, limit, only: suspects });
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
      for (const { queue, item_id, deaths } of await loadSuspects(database.executor)) {
        const state = stateOf(queue);
        state.isFirstPass = true;
        if (!state.inHand.has(item_id)) state.suspects.set(item_id, deaths);
      }
    },
  };
}
