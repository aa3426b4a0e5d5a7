import type { Clock } from '../src/platform/clock.ts';
import type { Database } from '../src/platform/database/transaction.ts';
import { type Care, createCare } from '../src/platform/queue/care.ts';
import type { DeadLetterQueue, DeadLetterQueues, SetAside } from '../src/platform/queue/dead-letters.ts';

/** For workers whose items never fail so often. */
export const noSetAside: SetAside = (_tx, queue, id) => {
  throw new Error(`The item ${id} of ${queue} is to be set aside`);
};

const none: DeadLetterQueue = { setAside: noItem, retry: noItem, discard: noItem };
function noItem(): never {
  throw new Error('No item of this queue is set aside here');
}

/** Those of the queues that a test works with. */
export const queuesWith = (own: Partial<DeadLetterQueues>): DeadLetterQueues => ({
  ...{ events: none, tasks: none, deliveries: none, mails: none, jobs: none, 'scheduled-jobs': none },
  ...own,
});

/** Of a process that nothing happened before. */
export const careOf = (database: Database, clock: Clock): Care =>
  createCare({ database, clock, owner: 'f'.repeat(24) });
