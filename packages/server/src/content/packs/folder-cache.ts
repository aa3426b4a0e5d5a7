import type { Clock } from '../../platform/clock.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { WarningLogger } from '../../platform/logger.ts';
import { createMutex } from '../../platform/mutex.ts';

/** What was used this recently stays, whatever the limit. */
const RECENT_MS = 60_000;
/** Unfinished files are deleted at this age, counted from the last write. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

interface Use {
  bytes: number;
  usedAt: number;
  holds: number;
}

interface Dependencies {
  readonly store: GitStore;
  readonly clock: Clock;
  readonly logger: WarningLogger;
  readonly maxBytes: number;
}

export type FolderCache = ReturnType<typeof createFolderCache>;

/** Keeps the git folders of a process within a size: those that were used longest ago are deleted. */
export function createFolderCache({ store, clock, logger, maxBytes }: Dependencies) {
  const uses = new Map<string, Use>();
  const runExclusive = createMutex();
  let total = 0;
  let stopping = false;

  function useOf(repoId: string): Use {
    const known = uses.get(repoId);
    if (known) return known;
    const use = { bytes: 0, usedAt: clock.now(), holds: 0 };
    uses.set(repoId, use);
    return use;
  }

  async function evict(): Promise<void> {
    const oldestFirst = [...uses].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [repoId, use] of oldestFirst) {
      if (stopping || total <= maxBytes) return;
      const isBusy = use.holds > 0 || clock.now() - use.usedAt < RECENT_MS || (await store.isInUse(repoId));
      if (isBusy) continue;
      uses.delete(repoId);
      total -= use.bytes;
      await store.delete(repoId);
    }
  }

  function add(repoId: string, bytes: number): void {
    const use = useOf(repoId);
    use.usedAt = clock.now();
    use.bytes += bytes;
    total += bytes;
    if (total > maxBytes) inBackground(evict);
  }

  function inBackground(work: () => Promise<void>): void {
    void runExclusive(work).catch((err: unknown) => logger.warn({ err }, 'git folders could not be tidied up'));
  }

  return {
    /** Notes that a folder is being used. */
    touch(repoId: string): void {
      const use = uses.get(repoId);
      if (use) use.usedAt = clock.now();
    },

    /** Notes that the packs of a folder have grown, or shrunk. */
    add,

    /** Keeps a folder until the result is disposed of. */
    hold(repoId: string): Disposable {
      const use = useOf(repoId);
      use.holds += 1;
      let isHeld = true;
      return {
        [Symbol.dispose]() {
          if (!isHeld) return;
          isHeld = false;
          use.holds -= 1;
          use.usedAt = clock.now();
        },
      };
    },

    /** Notes that a folder was deleted. */
    forget(repoId: string): void {
      total -= uses.get(repoId)?.bytes ?? 0;
      uses.delete(repoId);
    },

    /** Takes the folders over that an earlier process has left, and deletes what it did not finish. */
    takeOver(): void {
      inBackground(async () => {
        for await (const { id, bytes, changedAt } of store.uses()) {
          if (stopping) return;
          await store.deleteLeftovers(id, Date.now() - LEFTOVER_AGE_MS);
          if (uses.has(id)) continue;
          uses.set(id, { bytes, usedAt: Math.min(changedAt, clock.now()), holds: 0 });
          total += bytes;
        }
        await evict();
      });
    },

    /** Ends the work in the background. */
    async stop(): Promise<void> {
      stopping = true;
      await runExclusive(async () => {});
    },
  };
}
