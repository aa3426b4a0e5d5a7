import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { forgetDeleted, listDeleted } from '../../repositories/index.ts';
import { gitRepoIds } from '../store.ts';

/** How long the folder of a deleted repository stays on the disk. */
const KEPT_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 60_000;
const DELETED_A_ROUND = 20;
const HOUR_MS = 60 * 60 * 1000;
const LOOKED_AT_A_ROUND = 100;
/** With so many loose objects a repository is packed. */
const MANY_LOOSE = 500;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: GitStore;
  /** Whether this process is the one that looks after git folders, of all that share the database. */
  readonly hold: () => Promise<boolean>;
}

/**
 * Looks after the git folders of repositories, a little in each round: deletes those of repositories that are gone, and
 * packs those with many loose objects.
 */
export function createGitUpkeep({ database, clock, store, hold }: Dependencies) {
  let idleUntil = 0;
  let passAt = 0;
  let behind: string | undefined;
  let stopping = false;

  async function deleteFolders(): Promise<number> {
    const ids = await listDeleted(database.read, clock.now() - KEPT_MS, DELETED_A_ROUND);
    if (ids.length === 0) return 0;
    // Folders go first: a row without a folder is found again, a folder without a row is not.
    for (const id of ids) await store.remove(id);
    await database.transaction((tx) => forgetDeleted(tx, ids));
    return ids.length;
  }

  /** One page of a pass over all repositories, which begins every hour. */
  async function packOnePage(): Promise<number> {
    if (behind === undefined && clock.now() < passAt) return 0;
    const ids = await gitRepoIds(database.read, behind ?? '', LOOKED_AT_A_ROUND);
    for (const id of ids) {
      if (stopping) return 0;
      if ((await store.estimateLoose(id)) >= MANY_LOOSE) await store.packLoose(id, () => stopping);
    }
    passAt = clock.now() + HOUR_MS;
    behind = ids.length < LOOKED_AT_A_ROUND ? undefined : ids.at(-1);
    return ids.length === LOOKED_AT_A_ROUND ? 1 : 0;
  }

  return {
    async round(): Promise<{ done: number }> {
      if (clock.now() < idleUntil || !(await hold())) return { done: 0 };
      const done = (await deleteFolders()) + (await packOnePage());
      if (done === 0) idleUntil = clock.now() + IDLE_MS;
      return { done };
    },

    /** Ends the packing that is going on. */
    stop(): void {
      stopping = true;
    },
  };
}
