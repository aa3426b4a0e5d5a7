import type { Clock } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { type CrashGuard, createCrashGuard } from '../src/platform/queue/crash-guard/crash-guard.ts';
import type { DeadLetterQueues, SetAside } from '../src/platform/queue/dead-letters.ts';

/** Serves workers whose items never fail often enough to be set aside. */
export const noSetAside: SetAside = (_tx, queue, id) => {
  throw new Error(`The item ${id} of ${queue} is to be set aside`);
};

const noItems = { setAside: noItem, retry: noItem, discard: noItem };
function noItem(): never {
  throw new Error('No item of this queue is set aside here');
}

/** Returns all queues: the given ones, and placeholders for the others. */
export const queuesWith = (own: Partial<DeadLetterQueues>): DeadLetterQueues => ({
  ...{
    events: { table: 'events', ...noItems },
    tasks: { table: 'tasks', ...noItems },
    mails: { table: 'mails', ...noItems },
  },
  ...{ deliveries: { table: 'deliveries', ...noItems }, jobs: { table: 'jobs', ...noItems } },
  'scheduled-jobs': { table: 'scheduled_jobs', ...noItems },
  ...own,
});

/** Returns the crash guard of a process without earlier deaths. */
export const createTestCrashGuard = (database: Database, clock: Clock): CrashGuard =>
  createCrashGuard({ database, clock, owner: 'f'.repeat(24) });
