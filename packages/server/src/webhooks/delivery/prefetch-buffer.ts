import type { Sendable } from './delivery-store.ts';

/** A delivery that was taken and has not begun, and since when. */
export interface Prefetched {
  readonly delivery: Sendable;
  readonly since: number;
}

/** What was taken ahead, lane by lane: it fills the places of a quick lane as they become free. */
export function createPrefetchBuffer() {
  const lanes = new Map<string, Prefetched[]>();

  const put = (lane: string, all: Prefetched[]) => {
    if (all.length > 0) lanes.set(lane, all);
    else lanes.delete(lane);
  };

  return {
    add(lane: string, deliveries: readonly Sendable[], since: number): void {
      put(lane, [...(lanes.get(lane) ?? []), ...deliveries.map((delivery) => ({ delivery, since }))]);
    },

    size: (): number => [...lanes.values()].reduce((sum, all) => sum + all.length, 0),

    count: (lane: string): number => lanes.get(lane)?.length ?? 0,

    lanes: (): string[] => [...lanes.keys()],

    /** How many a lane holds of each webhook. */
    byWebhook(lane: string): Map<string, number> {
      const counts = new Map<string, number>();
      for (const { delivery } of lanes.get(lane) ?? [])
        counts.set(delivery.webhookId, (counts.get(delivery.webhookId) ?? 0) + 1);
      return counts;
    },

    /** Takes out those of a lane that are chosen, in their order. */
    take(lane: string, choose: (each: Prefetched) => boolean): Sendable[] {
      const taken: Sendable[] = [];
      const left = (lanes.get(lane) ?? []).filter((each) => {
        if (!choose(each)) return true;
        taken.push(each.delivery);
        return false;
      });
      put(lane, left);
      return taken;
    },
  };
}
