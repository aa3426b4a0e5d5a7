import type { QueueName } from '../database/tables.ts';

export interface QueueCare {
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

export type InHand = ReturnType<typeof createInHand>;

/** What this process has in hand of each queue, which of it is suspected, and the one suspect that is in hand alone. */
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

    /** The suspect that is in hand, beside which no other is taken. */
    suspect: (): string | undefined => suspect,

    /** Other suspects may be taken beside it from now on. */
    allowOthersBeside(id: string): void {
      if (suspect === id) suspect = undefined;
    },

    isFresh: (id: string): boolean => isAny(({ fresh }) => fresh.has(id)),
    isAnyFresh: (): boolean => isAny(({ fresh }) => fresh.size > 0),
    isAnySuspected: (): boolean => isAny(({ suspects }) => suspects.size > 0),
  };
}
