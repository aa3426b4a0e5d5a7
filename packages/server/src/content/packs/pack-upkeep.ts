import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { deleteTombstones, listTombstones } from '../../repositories/index.ts';
import type { BucketPacks } from './bucket-packs.ts';
import type { Consolidate } from './consolidation.ts';
import { inParallel } from './in-parallel.ts';
import type { Ownership } from './ownership.ts';
import type { PackBucket } from './pack-bucket.ts';
import {
  claimedPacks,
  claimReplaced,
  claimUnknown,
  deleteClaims,
  deletePacksOf,
  orphanedRepos,
  type PackName,
  packNamesIn,
  reposWithPacks,
} from './pack-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A repository with as many packs is consolidated. */
const MIN_PACKS = 30;
/** How often repositories with new packs are looked at, and all repositories. */
const LOOK_MS = 5_000;
const FULL_LOOK_MS = HOUR_MS;
/** Packs of changes that were in progress when repositories were looked at. */
const OVERLAP_MS = 10 * MINUTE_MS;
const REPOS_PER_LOOK = 10;
/** A repository whose packs could not be consolidated is left alone for as long. */
const FAILED_REST_MS = 10 * MINUTE_MS;
const MAX_REMEMBERED = 1000;
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
const MAX_DELETES = 8;
const DELETED_REPOS_PER_ROUND = 20;
const LISTED_PER_ROUND = 1000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly bucket: Pick<PackBucket, 'list'>;
  readonly packs: Pick<BucketPacks, 'delete' | 'deleteFolder'>;
  readonly ownership: Pick<Ownership, 'verify'>;
  readonly consolidate: Consolidate;
  /** Returns whether this process is the one, of all that share the database, that maintains the bucket. */
  readonly hold: () => Promise<boolean>;
}

/**
 * Maintains the packs in the bucket, a little in each round: writes many small packs into one, and deletes those that were
 * replaced, those of deleted repositories and what crashes have left.
 */
export function createPackUpkeep(dependencies: Dependencies) {
  const { database, clock, logger, bucket, packs, ownership, consolidate, hold } = dependencies;
  const { read } = database;
  const restsUntil = boundedCache<string, number>(MAX_REMEMBERED);
  let isVerified = false;
  let lookedAt = 0;
  let fullyLookedAt = 0;
  let deletedAt = 0;
  let sweptAt = 0;
  let listing: ReturnType<PackBucket['list']> | undefined;
  let stopping = false;

  const deleteAll = (names: readonly PackName[]) =>
    inParallel(names, MAX_DELETES, ({ repo_id, name }) => packs.delete(repo_id, name));

  /** Consolidates repositories with many packs, most of all those that got new ones. */
  async function consolidateSome(): Promise<number> {
    const now = clock.now();
    if (now - lookedAt < LOOK_MS) return 0;
    const isFull = now - fullyLookedAt >= FULL_LOOK_MS;
    const since = isFull ? 0 : lookedAt - OVERLAP_MS;
    const repoIds = await reposWithPacks(read, { count: MIN_PACKS, since, limit: REPOS_PER_LOOK });
    let done = 0;
    for (const repoId of repoIds) {
      if (stopping) return done;
      if ((restsUntil.get(repoId) ?? 0) > now) continue;
      try {
        if (await consolidate(repoId)) done++;
      } catch (err) {
        restsUntil.set(repoId, now + FAILED_REST_MS);
        logger.error({ err, repoId }, 'the packs of a repository could not be consolidated');
      }
    }
    if (repoIds.length === REPOS_PER_LOOK && done > 0) return done;
    lookedAt = now;
    if (isFull) fullyLookedAt = now;
    return done;
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

  return {
    async round(): Promise<{ done: number }> {
      if (!(await hold())) return { done: 0 };
      if (!isVerified) await ownership.verify();
      isVerified = true;
      const consolidated = await consolidateSome();
      if (clock.now() - deletedAt < MINUTE_MS || stopping) return { done: consolidated };
      const done = (await deleteRepos()) + (await deleteReplaced()) + (await sweep());
      if (done === 0) deletedAt = clock.now();
      return { done: consolidated + done };
    },

    /** Interrupts the consolidation in progress after the repository in hand. */
    stop(): void {
      stopping = true;
    },
  };
}

const keyOf = ({ repo_id, name }: PackName): string => `${repo_id} ${name}`;
