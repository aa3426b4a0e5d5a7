import type { ForwardedDelivery, Outcome } from './forward.ts';

/** A delivery from a stream. */
export interface Delivery extends ForwardedDelivery {
  readonly id: string;
}

interface Dependencies {
  readonly send: (delivery: Delivery) => Promise<Outcome>;
  readonly acknowledge: (id: string, outcome: Outcome) => Promise<void>;
  readonly show: (delivery: Delivery, outcome: Outcome) => void;
  readonly ending: AbortSignal;
}

/** The maximum number of remembered outcomes: many more than a stream has in flight. */
const MAX_REMEMBERED = 1000;

/**
 * Forwards deliveries one after the other, each only once, however often it arrives: if the acknowledgement of a
 * delivery was lost, the delivery is only acknowledged again.
 */
export function createDeliveries({ send, acknowledge, show, ending }: Dependencies) {
  const outcomes = new Map<string, Promise<Outcome | undefined>>();
  let last: Promise<unknown> = Promise.resolve();

  async function sendNext(delivery: Delivery): Promise<Outcome | undefined> {
    if (ending.aborted) return undefined;
    const outcome = await send(delivery);
    if (ending.aborted) return undefined;
    show(delivery, outcome);
    return outcome;
  }

  return {
    /**
     * Resolves once the delivery is acknowledged; rejects if that failed and the hub has to send the delivery again.
     */
    async take(delivery: Delivery): Promise<void> {
      const known = outcomes.get(delivery.id) ?? last.then(() => sendNext(delivery));
      if (!outcomes.has(delivery.id)) {
        outcomes.set(delivery.id, known);
        last = known;
        const [oldest] = outcomes.keys();
        if (outcomes.size > MAX_REMEMBERED && oldest !== undefined) outcomes.delete(oldest);
      }
      const outcome = await known;
      if (outcome) await acknowledge(delivery.id, outcome);
    },

    /** Resolves once nothing is being sent. */
    idle: async (): Promise<void> => void (await last),
  };
}
