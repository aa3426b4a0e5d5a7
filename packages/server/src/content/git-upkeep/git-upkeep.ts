import type { GitStore } from '../../platform/git/git-store.ts';
import { deleteTombstones, listTombstones } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { gitRepoIds } from '../store.ts';
import { noteChanges } from './changes.ts';
import { createDueLooks, type DueLooks, type GitUpkeep } from './due-looks.ts';
import { createMaintenance } from './maintenance.ts';
import { LEFTOVER_AGE_MS, MANY_CHANGES } from './pace.ts';
import { updateUpkeep, withoutUpkeep } from './upkeep-store.ts';

/** The time for which the folder of a deleted repository stays on the disk. */
const DELETED_FOLDER_GRACE_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 60_000;
const FOLDERS_PER_ROUND = 20;
const REPOS_PER_ROUND = 100;
/** After a page of a pass, so many times the time that it took belong to others. */
const REST_RATIO = 9;
/** A pass over all folders; repositories that change are looked at between passes. */
const PASS_EVERY_MS = 24 * 60 * 60 * 1000;

interface Dependencies extends Omit<DueLooks, 'maintain'> {
  readonly store: GitStore;
  readonly objects: Pick<RepositoryObjects, 'prepareForUpkeep'>;
  /** Returns whether this machine has stock git; without it, the hub packs by itself. */
  readonly hasGit?: () => Promise<boolean>;
}

/**
 * Maintains the git folders of repositories, a little in each round: deletes the folders of deleted repositories and the
 * leftovers of crashes, and looks at one repository that has changed.
 */
export function createGitUpkeep({ store, objects, hasGit, ...shared }: Dependencies): GitUpkeep {
  const { database, clock, hold } = shared;
  const lookAtOne = createDueLooks({
    ...shared,
    maintain: createMaintenance({
      ...{ clock, store, objects, hasGit },
      onBegin: (repoId) => database.transaction((tx) => updateUpkeep(tx, repoId, { tried_at: clock.now() })),
    }),
  });
  let idleUntil = 0;
  let nextPassAt = 0;
  let cursor: string | undefined;
  const stopping = new AbortController();

  async function deleteFolders(): Promise<number> {
    const ids = await listTombstones(database.read, clock.now() - DELETED_FOLDER_GRACE_MS, FOLDERS_PER_ROUND);
    if (ids.length === 0) return 0;
    // The folders go first: a row without a folder is found again, but a folder without a row is not.
    for (const id of ids) await store.delete(id);
    await database.transaction((tx) => deleteTombstones(tx, ids));
    return ids.length;
  }

  /**
   * Deletes leftovers in one page of a pass over all repositories, and makes those due that were never looked at. A pass
   * starts with the process and then once a day.
   */
  async function passOnePage(): Promise<number> {
    if (cursor === undefined && clock.now() < nextPassAt) return 0;
    const ids = await gitRepoIds(database.read, cursor ?? '', REPOS_PER_ROUND);
    for (const id of ids) {
      if (stopping.signal.aborted) return 0;
      await store.deleteLeftovers(id, clock.now() - LEFTOVER_AGE_MS);
    }
    const due = new Map<string, number>();
    for (const id of await withoutUpkeep(database.read, ids)) if (await store.exists(id)) due.set(id, MANY_CHANGES);
    if (due.size > 0) await database.transaction((tx) => noteChanges(tx, due, clock.now()));
    nextPassAt = clock.now() + PASS_EVERY_MS;
    cursor = ids.length < REPOS_PER_ROUND ? undefined : ids.at(-1);
    return ids.length === REPOS_PER_ROUND ? 1 : 0;
  }

  async function keepHouse(): Promise<number> {
    const begun = clock.now();
    if (begun < idleUntil || !(await hold())) return 0;
    const done = (await deleteFolders()) + (await passOnePage());
    idleUntil = clock.now() + (done === 0 ? IDLE_MS : REST_RATIO * (clock.now() - begun));
    return done;
  }

  return {
    async round() {
      return { done: (await keepHouse()) + (await lookAtOne(stopping.signal)) };
    },

    stop() {
      stopping.abort();
    },
  };
}
