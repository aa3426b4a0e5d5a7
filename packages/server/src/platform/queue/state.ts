import type { ReadExecutor } from '../database/transaction.ts';

/** How much waits in a queue, 10,000 at most, and when the oldest of it became due or will. */
export interface QueueState {
  readonly waiting: number;
  readonly oldestDueAt: number | null;
}

/** What depth is told at the most: to count more would cost more. */
export const MAX_COUNTED = 10_000;

/** By name, each with how it is looked at. */
export type Queues = Readonly<Record<string, (executor: ReadExecutor) => Promise<QueueState>>>;

interface NamedState extends QueueState {
  readonly name: string;
  /** How long the oldest has been due. */
  readonly overdueSeconds: number;
}

/** Every queue as it is now, one after the other, in the order of their names. */
export async function lookAtQueues(queues: Queues, executor: ReadExecutor, now: number): Promise<NamedState[]> {
  const states: NamedState[] = [];
  for (const [name, look] of Object.entries(queues).sort(([one], [other]) => (one < other ? -1 : 1))) {
    const state = await look(executor);
    states.push({ ...state, name, overdueSeconds: Math.max(0, now - (state.oldestDueAt ?? now)) / 1000 });
  }
  return states;
}
