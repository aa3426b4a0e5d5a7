import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import { claim, LEASE_MS, release } from '../platform/queue/claim.ts';
import type { Nudge } from '../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { dueLanes, loadForSending, nextDeliveryDueAt } from './delivery-store.ts';
import { createLaneLimits } from './lane-limits.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly nudge: Nudge;
  readonly deliver: Deliver;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Claims what is due, lane by lane up to each lane's free places, and sends it beside what is in flight already. */
export function createDeliveryWorker({ database, clock, ids, logger, nudge, deliver }: Dependencies) {
  const limits = createLaneLimits();
  const sending = new Set<Promise<void>>();
  const leases = new Set<string>();

  /** Sends what a claim took; the lease is forgotten when all of it is recorded. */
  async function sendAll(lane: string, lease: string, deliveryIds: readonly string[]): Promise<void> {
    const deliveries = await loadForSending(database.executor, deliveryIds, lease);
    leases.add(lease);
    limits.begin(lane, deliveries.length);
    const attempts = deliveries.map(async (delivery) => {
      const result = await deliver(delivery, lease).catch((error: unknown) => {
        logger.error({ err: error, deliveryId: delivery.id }, 'a delivery could not be recorded');
        return undefined;
      });
      limits.end(lane, result?.kind === 'answered' && result.status < 500);
      nudge();
      return result !== undefined;
    });
    const all = Promise.all(attempts).then((recorded) => {
      sending.delete(all);
      if (recorded.every(Boolean)) leases.delete(lease);
    });
    sending.add(all);
  }

  return {
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      let claimed = 0;
      for (const lane of limits.inTurn(await dueLanes(database.executor, now))) {
        const free = limits.free(lane);
        if (free === 0) continue;
        const lease = ids();
        const due = await claim(database.executor, { table: 'deliveries', lease, now, limit: free, lane });
        await sendAll(lane, lease, due);
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
    async handBack(): Promise<void> {
      for (const lease of leases) await release(database.executor, 'deliveries', clock.now(), lease);
    },
  };
}
