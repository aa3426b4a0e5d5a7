import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database/transaction.ts';
import { MAX_FAILURES, type SetAside } from '../../../platform/queue/dead-letters.ts';
import { describeFault, isTransient } from '../../../platform/queue/fault.ts';
import type { Attempt } from '../send.ts';

const MAX_REMEMBERED = 1_000;

/** Returns the function that counts failures to record attempts of a delivery, and sets the delivery aside after too many. */
export function createRecordingFailures({ database, setAside }: { database: Database; setAside: SetAside }) {
  const failures = new LRUCache<string, number>({ max: MAX_REMEMBERED });

  return async ({ delivery: { id } }: Attempt, error: unknown): Promise<void> => {
    if (isTransient(error)) return;
    const count = (failures.get(id) ?? 0) + 1;
    if (count < MAX_FAILURES) return void failures.set(id, count);
    failures.delete(id);
    const cause = { error: describeFault(error), failures: count, deaths: 0 };
    await database.transaction((tx) => setAside(tx, 'deliveries', id, cause));
  };
}
