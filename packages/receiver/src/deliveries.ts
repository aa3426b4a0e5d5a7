/** Which deliveries are done. A `Set` is one, and two commands of a cache or a database. */
export interface DeliveryStore {
  has(delivery: string): boolean | Promise<boolean>;
  add(delivery: string): unknown;
}

/** Remembers the last deliveries, 10,000 at least: for one process. */
export function createMemoryStore(atLeast = 10_000): DeliveryStore {
  let [young, old] = [new Set<string>(), new Set<string>()];
  return {
    has: (delivery) => young.has(delivery) || old.has(delivery),
    add(delivery) {
      if (young.size >= atLeast) [young, old] = [new Set(), young];
      young.add(delivery);
    },
  };
}

/** How a delivery ended. */
export interface Outcome {
  readonly done: boolean;
  /** JSON */
  readonly text: string;
}

const DUPLICATE: Outcome = { done: true, text: '{"duplicate":true}' };

/**
 * Runs each delivery once. One that is under way is joined; one that failed, or that a crash cut off, is not
 * remembered and runs when it comes again. Never rejects; what the store fails at is told to `onError`.
 */
export function createDeliveries(store: DeliveryStore, onError: (error: unknown) => void) {
  const underWay = new Map<string, Promise<Outcome>>();

  async function runNew(delivery: string, run: () => Promise<Outcome>): Promise<Outcome> {
    try {
      if (await store.has(delivery)) return DUPLICATE;
    } catch (error) {
      onError(error);
      return { done: false, text: '{"error":"The store of deliveries failed."}' };
    }
    const outcome = await run();
    try {
      if (outcome.done) await store.add(delivery);
    } catch (error) {
      // The work is done: to fail now would have it done again.
      onError(error);
    }
    return outcome;
  }

  return (delivery: string, run: () => Promise<Outcome>): Promise<Outcome> => {
    const before = underWay.get(delivery);
    if (before) return before;
    const outcome = runNew(delivery, run).finally(() => underWay.delete(delivery));
    underWay.set(delivery, outcome);
    return outcome;
  };
}
