import type { HubStatus } from '@moonbase/contract/admin/status';
import { type Clock, timestamp } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import { countDeadLetters } from '../platform/queue/dead-letters.ts';
import { lookAtQueues, type Queues } from '../platform/queue/state.ts';
import { countDeliveries, countSuspended, receiverFailures } from '../webhooks/index.ts';

/** How long the figures of the day are good enough: counting them costs up to 100,000 rows. */
const DAY_KEPT_MS = 15_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly queues: Queues;
  readonly version: { readonly version: string; readonly schema: string };
}

export type ReadHubStatus = () => Promise<HubStatus>;

/** How the hub does, for site administrators: the queues as they are, the last day as it was counted lately. */
export function createHubStatus({ database, clock, queues, version }: Dependencies): ReadHubStatus {
  const { read } = database;
  const startedAt = timestamp(clock.now());
  const day = keptFor(DAY_KEPT_MS, clock, async (now) => {
    const deliveries = await countDeliveries(read, now);
    const { receivers, complete } = await receiverFailures(read, now);
    return {
      countedAt: timestamp(now),
      hours: deliveries.hours.map(({ from, ...counts }) => ({ from: timestamp(from), ...counts })),
      receivers: receivers.map(({ lastFailureAt, ...rest }) => ({ ...rest, lastFailureAt: timestamp(lastFailureAt) })),
      suspendedWebhooks: await countSuspended(read),
      complete: complete && deliveries.complete,
    };
  });

  return async () => ({
    ...version,
    engine: database.engine,
    startedAt,
    queues: (await lookAtQueues(queues, read, clock.now())).map(({ oldestDueAt, ...queue }) => ({
      ...queue,
      ...(oldestDueAt !== null && { oldestDueAt: timestamp(oldestDueAt) }),
    })),
    deadLetters: [...(await countDeadLetters(read)).values()].reduce((sum, count) => sum + count, 0),
    day: await day(),
  });
}

/** Returns again what was made within so many milliseconds; whoever asks meanwhile shares it. A failure is not kept. */
function keptFor<T>(ms: number, clock: Clock, make: (now: number) => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly made: Promise<T> } | undefined;
  return () => {
    const now = clock.now();
    if (kept && now - kept.at < ms) return kept.made;
    const mine = { at: now, made: make(now) };
    kept = mine;
    mine.made.catch(() => {
      if (kept === mine) kept = undefined;
    });
    return mine.made;
  };
}
