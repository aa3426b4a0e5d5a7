import { deleteTombstones, listTombstones } from '../../repositories/index.ts';
import { noteChanges } from '../git-upkeep/changes.ts';
import { createDueLooks, type DueLooks, type GitUpkeep } from '../git-upkeep/due-looks.ts';
import { MANY_CHANGES } from '../git-upkeep/pace.ts';
import type { BucketPacks } from './bucket-packs.ts';
import type { Consolidate } from './consolidation.ts';
import { inParallel } from './in-parallel.ts';
import type { Ownership } from './ownership.ts';
import type { PackBucket } from './pack-bucket.ts';
import { createPackMaintenance } from './pack-maintenance.ts';
import {
  claimedPacks,
  claimReplaced,
  claimUnknown,
  deleteClaims,
  deletePacksOf,
  orphanedRepos,
  type PackName,
  packNamesIn,
  unseenRepos,
} from './pack-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A pack that was replaced stays for those that are fetching it. */
const REPLACED_GRACE_MS = DAY_MS;
/** An object in the bucket without a row belongs to a change in progress until this age. */
const LEFTOVER_AGE_MS = DAY_MS;
/**
 * The bytes of a marked pack are deleted within the first time, and its row after the second. The time between is more than
 * a change may take from its upload to its row, so that no change records what is being deleted.
 */
const CLAIM_DELETES_MS = 30 * MINUTE_MS;
const CLAIM_ENDS_MS = 3 * HOUR_MS;
const PACKS_PER_ROUND = 200;
const REPOS_PER_ROUND = 100;
const MAX_DELETES = 8;
const DELETED_REPOS_PER_ROUND = 20;
const LISTED_PER_ROUND = 1000;

interface Dependencies extends Omit<DueLooks, 'maintain'> {
  readonly bucket: Pick<PackBucket, 'list'>;
  readonly packs: Pick<BucketPacks, 'delete' | 'deleteFolder'>;
  readonly ownership: Pick<Ownership, 'verify'>;
  readonly consolidate: Consolidate;
}

/**
 * Maintains the packs in the bucket, a little in each round: deletes those that were replaced, those of deleted repositories
 * and what crashes have left, and looks at one repository that has changed, whose small packs may become one.
 */
export function createPackUpkeep({ bucket, packs, ownership, consolidate, ...shared }: Dependencies): GitUpkeep {
  const { database, clock, hold } = shared;
  const { read } = database;
  const lookAtOne = createDueLooks({ ...shared, maintain: createPackMaintenance({ read, clock, consolidate }) });
  const stopping = new AbortController();
  let isVerified = false;
  let idleUntil = 0;
  let nextPassAt = 0;
  let sweptAt = 0;
  let listing: ReturnType<PackBucket['list']> | undefined;

  const deleteAll = (names: readonly PackName[]) =>
    inParallel(names, MAX_DELETES, ({ repo_id, name }) => packs.delete(repo_id, name));

  /** Makes repositories due that were never looked at, such as those of a restored hub. */
  async function noteUnseen(): Promise<number> {
    if (clock.now() < nextPassAt) return 0;
    const ids = await unseenRepos(read, REPOS_PER_ROUND);
    if (ids.length === 0) {
      nextPassAt = clock.now() + DAY_MS;
      return 0;
    }
    const due = new Map(ids.map((id) => [id, MANY_CHANGES]));
    await database.transaction((tx) => noteChanges(tx, due, clock.now()));
    return ids.length;
  }

  /** Deletes everything of repositories that were deleted a day ago, and of those that never came to be. */
  async function deleteRepos(): Promise<number> {
    const before = clock.now() - DAY_MS;
    const deleted = await listTombstones(read, before, DELETED_REPOS_PER_ROUND);
    const repoIds = deleted.length > 0 ? deleted : await orphanedRepos(read, before, DELETED_REPOS_PER_ROUND);
    if (repoIds.length === 0) return 0;
    // Objects go first: a row without an object is found again, and nobody reads it.
    await deleteAll(await packNamesIn(read, repoIds));
    for (const id of repoIds) await packs.deleteFolder(id);
    await database.transaction(async (tx) => {
      await deletePacksOf(tx, repoIds);
      await deleteTombstones(tx, repoIds);
    });
    return repoIds.length;
  }

  /** Deletes packs that were replaced a day ago. */
  async function deleteReplaced(): Promise<number> {
    const now = clock.now();
    const before = now - REPLACED_GRACE_MS;
    const claimed = await database.transaction((tx) => claimReplaced(tx, { before, now, limit: PACKS_PER_ROUND }));
    const marked = await claimedPacks(read, 2 * PACKS_PER_ROUND);
    await deleteAll(marked.filter(({ changed_at }) => now - changed_at < CLAIM_DELETES_MS));
    const ended = marked.filter(({ changed_at }) => now - changed_at > CLAIM_ENDS_MS);
    if (ended.length > 0) await database.transaction((tx) => deleteClaims(tx, ended));
    return claimed + ended.length;
  }

  /** Deletes objects without a row that are a day old, one page of the bucket at a time. */
  async function sweep(): Promise<number> {
    if (!listing && clock.now() - sweptAt < DAY_MS) return 0;
    listing ??= bucket.list();
    // The bucket has the real time, and so has the comparison.
    const before = Date.now() - LEFTOVER_AGE_MS;
    const old: PackName[] = [];
    let isOver = false;
    for (let listed = 0; listed < LISTED_PER_ROUND && !isOver; listed++) {
      const { done, value } = await listing.next();
      isOver = done === true;
      if (value && value.since < before) old.push({ repo_id: value.repo_id, name: value.name });
    }
    const known = await packNamesIn(read, [...new Set(old.map(({ repo_id }) => repo_id))]);
    const rows = new Set(known.map(keyOf));
    const unknown = [
      ...new Map(old.filter((pack) => !rows.has(keyOf(pack))).map((pack) => [keyOf(pack), pack])).values(),
    ];
    await deleteAll(await database.transaction((tx) => claimUnknown(tx, unknown, clock.now())));
    if (!isOver) return 1;
    listing = undefined;
    sweptAt = clock.now();
    return 0;
  }

  async function keepHouse(): Promise<number> {
    if (clock.now() < idleUntil || !(await hold())) return 0;
    if (!isVerified) await ownership.verify();
    isVerified = true;
    const done = (await noteUnseen()) + (await deleteRepos()) + (await deleteReplaced()) + (await sweep());
    if (done === 0) idleUntil = clock.now() + MINUTE_MS;
    return done;
  }

  return {
    async round() {
      return { done: (await lookAtOne(stopping.signal)) + (await keepHouse()) };
    },

    stop() {
      stopping.abort();
    },
  };
}

const keyOf = ({ repo_id, name }: PackName): string => `${repo_id} ${name}`;
