import { chain, isPromise, type MaybePromise } from './maybe.ts';

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

const STORE_FAILED: Outcome = { done: false, text: '{"error":"The store of deliveries failed."}' };

/**
 * Runs each delivery once. One that is under way is joined; one that failed, or that a crash cut off, is not
 * remembered and runs when it comes again. Never fails; what the store fails at is told to `onError`.
 */
export function createDeliveries(store: DeliveryStore, onError: (error: unknown) => void) {
  const underWay = new Map<string, Promise<Outcome>>();

  /** What the store says, or what is said instead when it fails. */
  function ask<T>(question: () => MaybePromise<T>, otherwise: T): MaybePromise<T> {
    const failed = (error: unknown): T => {
      onError(error);
      return otherwise;
    };
    try {
      const answer = question();
      return isPromise(answer) ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  }

  const remember = (delivery: string, outcome: Outcome): MaybePromise<Outcome> =>
    // Where that fails, the work is done all the same: to say otherwise would have it done again.
    outcome.done
      ? chain(
          ask<unknown>(() => store.add(delivery), undefined),
          () => outcome,
        )
      : outcome;

  const runNew = (delivery: string, run: () => MaybePromise<Outcome>): MaybePromise<Outcome> =>
    chain(
      ask<boolean | undefined>(() => store.has(delivery), undefined),
      (known) => {
        if (known === undefined) return STORE_FAILED;
        return known ? DUPLICATE : chain(run(), (outcome) => remember(delivery, outcome));
      },
    );

  return (delivery: string, run: () => MaybePromise<Outcome>): MaybePromise<Outcome> => {
    const before = underWay.get(delivery);
    if (before) return before;
    const outcome = runNew(delivery, run);
    if (isPromise(outcome)) {
      underWay.set(delivery, outcome);
      void outcome.finally(() => underWay.delete(delivery));
    }
    return outcome;
  };
}
