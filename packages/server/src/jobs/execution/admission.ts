import type { Clock } from '../../platform/clock.ts';
import { type Database, serialize } from '../../platform/database/transaction.ts';
import { addEvent } from '../runs/store.ts';
import { nextJobs, type Places, startFirstAttempts } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly places: Places;
}

/** The id of the advisory lock that serializes admissions. */
const ADMISSION = 0x6a6f6273;

/** Gives free places to waiting jobs, in turn. Returns the number of admitted jobs. */
export function createAdmission({ database, clock, places }: Dependencies) {
  return async (): Promise<number> => {
    if ((await nextJobs(database.read, places)).length === 0) return 0;
    return database.transaction(async (tx) => {
      await serialize(tx, ADMISSION);
      const admitted = await startFirstAttempts(tx, await nextJobs(tx, places));
      for (const id of admitted) await addEvent(tx, id, clock.now(), 'Starting', 'The first attempt begins');
      return admitted.length;
    });
  };
}
