/** The deliveries that a worker has taken and that are not recorded yet, lane by lane: what the database does not say. */
export function createInFlight() {
  const lanes = new Map<string, Set<string>>();
  const all = new Set<string>();

  return {
    add(lane: string, id: string): void {
      all.add(id);
      const own = lanes.get(lane);
      if (own) own.add(id);
      else lanes.set(lane, new Set([id]));
    },

    delete(lane: string, id: string): void {
      all.delete(id);
      const own = lanes.get(lane);
      own?.delete(id);
      if (own?.size === 0) lanes.delete(lane);
    },

    /** In whichever lane: one that moved to another stays where it was taken. */
    has: (id: string): boolean => all.has(id),

    ids: (): string[] => [...all],

    lanes: (): string[] => [...lanes.keys()],

    idsOf: (lane: string): string[] => [...(lanes.get(lane) ?? [])],
  };
}
