import type { Sendable } from './delivery-store.ts';

/** A delivery with what sending needs, and the time at which that was so in the database. */
export interface ReadDelivery {
  readonly delivery: Sendable;
  readonly since: number;
}

export type Choice = 'take' | 'leave' | 'stop';

/** Deliveries that were taken ahead, by lane: they fill the places of a quick lane as soon as these become free. */
export function createPrefetchBuffer() {
  const lanes = new Map<string, ReadDelivery[]>();

  const put = (lane: string, all: ReadDelivery[]) => {
    if (all.length > 0) lanes.set(lane, all);
    else lanes.delete(lane);
  };

  /** Removes the chosen deliveries of a lane and returns them in their order; those from a stop on are left. */
  function take(lane: string, choose: (each: ReadDelivery) => Choice): Sendable[] {
    const all = lanes.get(lane) ?? [];
    const taken: Sendable[] = [];
    const left: ReadDelivery[] = [];
    for (const [at, each] of all.entries()) {
      const choice = choose(each);
      if (choice === 'take') taken.push(each.delivery);
      else left.push(...(choice === 'leave' ? [each] : all.slice(at)));
      if (choice === 'stop') break;
    }
    if (taken.length > 0) put(lane, left);
    return taken;
  }

  return {
    add(lane: string, deliveries: readonly ReadDelivery[]): void {
      put(lane, [...(lanes.get(lane) ?? []), ...deliveries]);
    },

    size: (): number => [...lanes.values()].reduce((sum, all) => sum + all.length, 0),

    count: (lane: string): number => lanes.get(lane)?.length ?? 0,

    lanes: (): string[] => [...lanes.keys()],

    /** Returns how many deliveries of each webhook are prefetched in a lane. */
    byWebhook(lane: string): Map<string, number> {
      const counts = new Map<string, number>();
      for (const { delivery } of lanes.get(lane) ?? [])
        counts.set(delivery.webhookId, (counts.get(delivery.webhookId) ?? 0) + 1);
      return counts;
    },

    take,

    /** Removes all deliveries of a lane that meet a condition and returns them in their order. */
    takeIf: (lane: string, condition: (each: ReadDelivery) => boolean): Sendable[] =>
      take(lane, (each) => (condition(each) ? 'take' : 'leave')),
  };
}
