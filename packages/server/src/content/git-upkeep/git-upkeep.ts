import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { deleteTombstones, listTombstones } from '../../repositories/index.ts';
import { gitRepoIds } from '../store.ts';

/** The time for which the folder of a deleted repository stays on the disk. */
const DELETED_FOLDER_GRACE_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 60_000;
const FOLDERS_PER_ROUND = 20;
const HOUR_MS = 60 * 60 * 1000;
/** Unfinished files are deleted at this age, counted from the last write. */
const LEFTOVER_AGE_MS = HOUR_MS;
const REPOS_PER_ROUND = 100;
/** A repository with at least this many loose objects is packed. */
const MIN_LOOSE_TO_PACK = 500;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly store: GitStore;
  /** Returns whether this process is the one, of all that share the database, that maintains git folders. */
  readonly hold: () => Promise<boolean>;
}

/**
 * Maintains the git folders of repositories, a little in each round: deletes the folders of deleted repositories
 * and the leftovers of crashes, and packs repositories with many loose objects.
 */
export function createGitUpkeep({ database, clock, store, hold }: Dependencies) {
  let idleUntil = 0;
  let nextPassAt = 0;
  let cursor: string | undefined;
  let stopping = false;

  async function deleteFolders(): Promise<number> {
    const ids = await listTombstones(database.read, clock.now() - DELETED_FOLDER_GRACE_MS, FOLDERS_PER_ROUND);
    if (ids.length === 0) return 0;
    // The folders go first: a row without a folder is found again, but a folder without a row is not.
    for (const id of ids) await store.delete(id);
    await database.transaction((tx) => deleteTombstones(tx, ids));
    return ids.length;
  }

  /** Deletes leftovers and packs loose objects in one page of a pass over all repositories; a pass starts every hour. */
  async function packOnePage(): Promise<number> {
    if (cursor === undefined && clock.now() < nextPassAt) return 0;
    const ids = await gitRepoIds(database.read, cursor ?? '', REPOS_PER_ROUND);
    for (const id of ids) {
      if (stopping) return 0;
      await store.deleteLeftovers(id, clock.now() - LEFTOVER_AGE_MS);
      if ((await store.estimateLoose(id)) >= MIN_LOOSE_TO_PACK) await store.packLoose(id, () => stopping);
    }
    nextPassAt = clock.now() + HOUR_MS;
    cursor = ids.length < REPOS_PER_ROUND ? undefined : ids.at(-1);
    return ids.length === REPOS_PER_ROUND ? 1 : 0;
  }

  return {
    async round(): Promise<{ done: number }> {
      if (clock.now() < idleUntil || !(await hold())) return { done: 0 };
      const done = (await deleteFolders()) + (await packOnePage());
      if (done === 0) idleUntil = clock.now() + IDLE_MS;
      return { done };
    },

    /** Interrupts the packing in progress. */
    stop(): void {
      stopping = true;
    },
  };
}
