import type { Sendable } from './delivery-store.ts';
import type { LaneClaim } from './queue-store.ts';

/** More lanes than this with new deliveries are found by the next look at all lanes. */
const MAX_LANES = 20;
const MAX_OF_LANE = 200;

/** The lanes that have just got deliveries, and those of them that were read with their event. */
export function createFreshDeliveries() {
  const fresh = new Map<string, Sendable[]>();

  return {
    add(lanes: readonly string[], sendable: readonly Sendable[]): void {
      for (const lane of lanes) if (fresh.size < MAX_LANES && !fresh.has(lane)) fresh.set(lane, []);
      for (const delivery of sendable) {
        const known = fresh.get(delivery.lane);
        if (known && known.length < MAX_OF_LANE) known.push(delivery);
      }
    },

    /** Returns the lanes since the last call. */
    take(): Map<string, readonly Sendable[]> {
      const taken = new Map(fresh);
      fresh.clear();
      return taken;
    },
  };
}

/** Chooses deliveries of a lane that were read already, as `nextOfLanes` chooses those that it reads. */
export function shareOf(
  deliveries: readonly Sendable[],
  { limit, perWebhook }: Pick<LaneClaim, 'limit' | 'perWebhook'>,
): Sendable[] {
  const taken = new Map<string, number>();
  const shared = deliveries.filter(({ webhookId }) => {
    const own = (taken.get(webhookId) ?? 0) + 1;
    if (own <= perWebhook) taken.set(webhookId, own);
    return own <= perWebhook;
  });
  return shared.slice(0, limit);
}
