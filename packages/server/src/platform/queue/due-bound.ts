/** How long a bound serves until everything is looked at again. */
const WHOLE_EVERY_MS = 1_000;
/** Rows that are due for this long are visible: the clocks of processes differ, and a transaction takes its time. */
const MARGIN_MS = 500;

export type DueBound = ReturnType<typeof createDueBound>;

/**
 * The due time below which no row of a queue waits, as the last look at all of it has shown. PostgreSQL keeps the index entries of
 * finished rows until a vacuum, and each look would walk over all of them. A row that becomes due below the bound waits for
 * the next look at everything.
 */
export function createDueBound() {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let bound = 0;

  return {
    /** Returns the due time from which to look; 0 where it is time to look at everything. */
    from: (now: number): number => (now >= lookedAt && now - lookedAt < WHOLE_EVERY_MS ? bound : 0),

    /** Notes a look at everything that began at a time, and the due time of the first row that it left waiting, if any. */
    saw(now: number, oldest = Number.POSITIVE_INFINITY): void {
      lookedAt = now;
      bound = Math.max(0, Math.min(oldest, now - MARGIN_MS));
    },
  };
}
