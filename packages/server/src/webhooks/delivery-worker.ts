import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { claim, LEASE_MS, release } from '../platform/queue/claim.ts';
import type { Nudge } from '../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { dueLanes, loadForSending, nextDeliveryDueAt } from './delivery-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly nudge: Nudge;
  readonly deliver: Deliver;
}

/** Requests in flight at once: to one origin, and in all. */
const PER_LANE = 32;
const IN_ALL = 256;

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Claims what is due, lane by lane up to each lane's free places, and sends it beside what is in flight already. */
export function createDeliveryWorker({ database, clock, ids, logger, nudge, deliver }: Dependencies) {
  const lease = ids();
  const inFlight = new Map<string, number>();
  const sending = new Set<Promise<void>>();

  async function sendAll(lane: string, deliveryIds: readonly string[]): Promise<void> {
    for (const delivery of await loadForSending(database.executor, deliveryIds, lease)) {
      inFlight.set(lane, (inFlight.get(lane) ?? 0) + 1);
      const attempt = deliver(delivery, lease)
        .then(() => {})
        .catch((error: unknown) =>
          logger.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be recorded'),
        )
        .finally(() => {
          const left = (inFlight.get(lane) ?? 1) - 1;
          if (left > 0) inFlight.set(lane, left);
          else inFlight.delete(lane);
          sending.delete(attempt);
          nudge();
        });
      sending.add(attempt);
    }
  }

  return {
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      let claimed = 0;
      for (const lane of await dueLanes(database.executor, now)) {
        const free = Math.min(PER_LANE - (inFlight.get(lane) ?? 0), IN_ALL - sending.size);
        if (free <= 0) continue;
        const due = await claim(database.executor, { table: 'deliveries', lease, now, limit: free, lane });
        await sendAll(lane, due);
        claimed += due.length;
      }
      if (claimed > 0) return { done: claimed };
      const due = await nextDeliveryDueAt(database.executor, now);
      return { done: 0, dueInMs: due === undefined ? undefined : Math.min(due - now, LEASE_MS) };
    },

    /** Resolves when nothing is in flight. */
    async settled(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending);
    },

    /** Hands back what is still held, so that the next process need not wait for the lease to end. */
    handBack: () => release(database.executor, 'deliveries', clock.now(), lease),
  };
}
