import type { QueueName } from '../../database/tables.ts';

export interface QueueState {
  /** Whether items that were pending at the start of the process are not done yet. */
  isFirstPass: boolean;
  /** Items that were in hand when a process died, with their number of deaths; and items in hand of another process. */
  readonly suspects: Map<string, number>;
  readonly inHand: Set<string>;
  /** The items in hand that have just begun, whose effect on the process is still unknown. */
  readonly fresh: Set<string>;
  /** Items that were in hand and did no harm. */
  readonly survived: Set<string>;
}

export type ItemsInHand = ReturnType<typeof createItemsInHand>;

/** The items of each queue that this process has in hand, the suspects, and the one suspect in hand alone. */
export function createItemsInHand() {
  const queues = new Map<QueueName, QueueState>();
  let suspect: string | undefined;

  const isAny = (has: (state: QueueState) => boolean): boolean => [...queues.values()].some(has);

  function take(queue: QueueName, id: string): void {
    const state = of(queue);
    state.inHand.add(id);
    state.fresh.add(id);
  }

  function of(queue: QueueName): QueueState {
    const known = queues.get(queue);
    if (known) return known;
    const state: QueueState = {
      isFirstPass: false,
      suspects: new Map(),
      inHand: new Set(),
      fresh: new Set(),
      survived: new Set(),
    };
    queues.set(queue, state);
    return state;
  }

  return {
    of,
    take,

    takeAlone(queue: QueueName, id: string): void {
      suspect = id;
      take(queue, id);
    },

    letGo(queue: QueueName, id: string): void {
      of(queue).inHand.delete(id);
      of(queue).fresh.delete(id);
      if (suspect === id) suspect = undefined;
    },

    /** The suspect in hand, beside which no other item is taken. */
    suspect: (): string | undefined => suspect,

    /** Allows other suspects beside the current one. */
    allowOthersBeside(id: string): void {
      if (suspect === id) suspect = undefined;
    },

    isFresh: (id: string): boolean => isAny(({ fresh }) => fresh.has(id)),
    isAnyFresh: (): boolean => isAny(({ fresh }) => fresh.size > 0),
    isAnySuspected: (): boolean => isAny(({ suspects }) => suspects.size > 0),
  };
}
