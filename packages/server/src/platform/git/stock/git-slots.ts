import { createFairQueue } from '../../threads/fair-queue.ts';

/** Whoever has a slot, as others who wait see it. */
export interface SlotHolder {
  /** Returns when it last made progress, by `performance.now()`. */
  readonly activeAt: () => number;
  /** Ends it, so that its slot is free. */
  readonly end: () => void;
}

interface Slot extends Disposable {
  /** Names the holder once it has begun. */
  hold(holder: SlotHolder): void;
}

interface Waiting {
  readonly begin: (slot: Slot) => void;
  isGone: boolean;
}

export interface GitSlotOptions {
  readonly count: number;
  /** While others wait, a holder without progress for this long is ended. */
  readonly maxStallMs: number;
  /** The longest wait for a slot. */
  readonly maxWaitMs: number;
}

export type GitSlots = ReturnType<typeof createGitSlots>;

/**
 * Bounds how many git processes run at once. Those who wait are served in turn by user; while somebody waits, a process
 * whose client has stalled is ended.
 */
export function createGitSlots({ count, maxStallMs, maxWaitMs }: GitSlotOptions) {
  const queue = createFairQueue<Waiting>(() => 1);
  const holders = new Set<SlotHolder>();
  let taken = 0;
  let waiting = 0;
  let looking: NodeJS.Timeout | undefined;

  function newSlot(): Slot {
    let own: SlotHolder | undefined;
    let isFree = false;
    return {
      hold(holder) {
        own = holder;
        holders.add(holder);
      },
      [Symbol.dispose]() {
        if (isFree) return;
        isFree = true;
        if (own) holders.delete(own);
        taken -= 1;
        serve();
      },
    };
  }

  function serve(): void {
    while (taken < count) {
      const next = queue.take();
      if (!next) break;
      if (next.isGone) continue;
      taken += 1;
      next.begin(newSlot());
    }
  }

  function endStalled(): void {
    const before = performance.now() - maxStallMs;
    for (const holder of holders) if (holder.activeAt() < before) holder.end();
  }

  function watch(): void {
    if (waiting > 0) looking ??= setInterval(endStalled, Math.min(maxStallMs, 1000)).unref();
    else {
      clearInterval(looking);
      looking = undefined;
    }
  }

  return {
    /** Returns a slot, to be disposed of; undefined if none was free in time. */
    async acquire(from: string): Promise<Slot | undefined> {
      if (taken < count) {
        taken += 1;
        return newSlot();
      }
      waiting += 1;
      watch();
      try {
        return await new Promise<Slot | undefined>((resolve) => {
          const timer = setTimeout(() => {
            entry.isGone = true;
            resolve(undefined);
          }, maxWaitMs);
          const entry: Waiting = {
            isGone: false,
            begin(slot) {
              clearTimeout(timer);
              resolve(slot);
            },
          };
          queue.add(from, entry);
        });
      } finally {
        waiting -= 1;
        watch();
      }
    },

    /** Returns how many run and how many wait. */
    counts: () => ({ running: taken, waiting }),
  };
}
