/** The deliveries that a worker has taken and whose attempts are not recorded yet, by lane: the database does not know them. */
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

    /** Returns whether a delivery was taken, in whichever lane it stood then. */
    has: (id: string): boolean => all.has(id),

    ids: (): string[] => [...all],

    lanes: (): string[] => [...lanes.keys()],

    idsOf: (lane: string): string[] => [...(lanes.get(lane) ?? [])],
  };
}
