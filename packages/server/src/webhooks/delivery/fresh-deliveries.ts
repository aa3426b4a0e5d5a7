import type { Clock } from '../../platform/clock.ts';
import type { Sendable } from './delivery-store.ts';
import type { ReadDelivery } from './prefetch-buffer.ts';
import type { LaneClaim } from './queue-store.ts';

/** More lanes than this with new deliveries are found by the next look at all lanes. */
const MAX_LANES = 20;
const MAX_OF_LANE = 600;
/** Deliveries that were read this long ago are read again. */
const MAX_AGE_MS = 500;

interface Dependencies {
  readonly clock: Clock;
  readonly isTaken: (id: string) => boolean;
}

export type FreshDeliveries = ReturnType<typeof createFreshDeliveries>;

/** The lanes that have just got deliveries, and those of them that were read with their event. */
export function createFreshDeliveries({ clock, isTaken }: Dependencies) {
  const fresh = new Map<string, ReadDelivery[]>();

  return {
    /** Adds lanes, and deliveries that are not taken yet: a look may have found them as soon as they were committed. */
    add: (lanes: readonly string[], sendable: readonly ReadDelivery[] = []): void => {
      for (const lane of lanes) if (fresh.size < MAX_LANES && !fresh.has(lane)) fresh.set(lane, []);
      for (const read of sendable) {
        const known = fresh.get(read.delivery.lane);
        if (known && known.length < MAX_OF_LANE && !isTaken(read.delivery.id)) known.push(read);
      }
    },

    /** Forgets deliveries that a look has taken: they may have ended when the others are served. */
    forget(taken: readonly Sendable[]): void {
      const ids = new Set(taken.map(({ id }) => id));
      for (const [lane, known] of fresh)
        fresh.set(
          lane,
          known.filter(({ delivery }) => !ids.has(delivery.id)),
        );
    },

    /** Returns the lanes since the last call. */
    take(): Map<string, readonly ReadDelivery[]> {
      const now = clock.now();
      const isYoung = ({ since }: ReadDelivery) => since <= now && now - since < MAX_AGE_MS;
      const taken = new Map([...fresh].map(([lane, all]) => [lane, all.filter(isYoung)]));
      fresh.clear();
      return taken;
    },
  };
}

/** Chooses deliveries of a lane that were read already, as `nextOfLanes` chooses those that it reads. */
export function shareOf(
  deliveries: readonly ReadDelivery[],
  { limit, perWebhook }: Pick<LaneClaim, 'limit' | 'perWebhook'>,
): ReadDelivery[] {
  const taken = new Map<string, number>();
  const shared = deliveries.filter(({ delivery: { webhookId } }) => {
    const own = (taken.get(webhookId) ?? 0) + 1;
    if (own <= perWebhook) taken.set(webhookId, own);
    return own <= perWebhook;
  });
  return shared.slice(0, limit);
}
