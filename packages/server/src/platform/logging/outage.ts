import type { Clock } from '../clock.ts';

/** How often a failure that lasts is told again. */
const MIN_INTERVAL_MS = 10 * 60_000;

interface Reports {
  readonly clock: Clock;
  /** Called for the first failure, and every ten minutes while it lasts, with the failures that were not told. */
  readonly onFailing: (details: object) => void;
  /** Called once when it works again, with the number of failures. */
  readonly onWorking: (details: { readonly failures: number }) => void;
}

export type Outage = ReturnType<typeof createOutage>;

/** Tells of something outside of the hub that fails again and again, without a line for each time. */
export function createOutage({ clock, onFailing, onWorking }: Reports) {
  let failures = 0;
  let untold = 0;
  let isTold = false;
  let nextAt = 0;

  return {
    /** Called for each failure. */
    failed: (details: object): void => {
      failures += 1;
      if (clock.now() < nextAt) {
        untold += 1;
        return;
      }
      onFailing({ ...details, ...(untold > 0 && { untold }) });
      nextAt = clock.now() + MIN_INTERVAL_MS;
      untold = 0;
      isTold = true;
    },

    /** Called for each success. */
    worked: (): void => {
      if (isTold) onWorking({ failures });
      failures = 0;
      isTold = false;
    },
  };
}
