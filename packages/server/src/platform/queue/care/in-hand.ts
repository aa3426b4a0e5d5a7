import type { QueueName } from '../../database/tables.ts';

export interface QueueCare {
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

export type InHand = ReturnType<typeof createInHand>;

/** The items of each queue that this process has in hand, the suspects, and the one suspect in hand alone. */
export function createInHand() {
  const queues = new Map<QueueName, QueueCare>();
  let suspect: string | undefined;

  const isAny = (has: (care: QueueCare) => boolean): boolean => [...queues.values()].some(has);

  function take(queue: QueueName, id: string): void {
    const care = of(queue);
    care.inHand.add(id);
    care.fresh.add(id);
  }

  function of(queue: QueueName): QueueCare {
    const known = queues.get(queue);
    if (known) return known;
    const care: QueueCare = {
      isFirstPass: false,
      suspects: new Map(),
      inHand: new Set(),
      fresh: new Set(),
      survived: new Set(),
    };
    queues.set(queue, care);
    return care;
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
