import type { ReadExecutor } from '../database/transaction.ts';

/** The number of waiting items of a queue, at most 10,000, and the due time of the oldest. */
export interface QueueState {
  readonly waiting: number;
  readonly oldestDueAt: number | null;
}

/** The maximum reported depth, which bounds the cost of counting. */
export const MAX_COUNTED = 10_000;

/** The functions that inspect the queues, by name. */
export type Queues = Readonly<Record<string, (executor: ReadExecutor) => Promise<QueueState>>>;

interface NamedState extends QueueState {
  readonly name: string;
  /** How long the oldest item has been due. */
  readonly overdueSeconds: number;
}

/** Inspects all queues, one after the other, in the order of their names. */
export async function readQueueStates(queues: Queues, executor: ReadExecutor, now: number): Promise<NamedState[]> {
  const states: NamedState[] = [];
  for (const [name, look] of Object.entries(queues).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const state = await look(executor);
    states.push({ ...state, name, overdueSeconds: Math.max(0, now - (state.oldestDueAt ?? now)) / 1000 });
  }
  return states;
}
