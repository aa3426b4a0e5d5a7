import type { Clock } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { totalOf } from '../total-store.ts';

/** More answers about one commit are passed on, but not kept. */
const MAX_OF_COMMIT = 64 * 1024 * 1024;
/** The same of all commits. */
export const MAX_OF_ALL = 1024 * 1024 * 1024;
const RECOUNT_MS = 60_000;

export type Capacity = ReturnType<typeof createCapacity>;

/** Bounds the answers and entries that are kept, in characters. */
export function createCapacity({ read, clock }: { readonly read: ReadExecutor; readonly clock: Clock }) {
  let total = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Returns whether a commit of which so much is kept has room for more, and counts that. */
    async takes(kept: number, more: number): Promise<boolean> {
      if (kept + more > MAX_OF_COMMIT) return false;
      if (clock.now() - countedAt >= RECOUNT_MS) {
        countedAt = clock.now();
        total = await totalOf(read, 'facts');
      }
      if (total + more > MAX_OF_ALL) return false;
      total += more;
      return true;
    },
  };
}
