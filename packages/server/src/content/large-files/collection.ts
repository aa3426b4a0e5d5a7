import type { StorageCollection } from '@moonbase/contract/admin/storage';
import { findAccountsById } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { fullName, listReadable } from '../../repositories/index.ts';
import { findUnused, markDeletingAmong, namesAfter, type UnusedBlob } from './blob-row-store.ts';
import { releaseUnused } from './unused.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const BLOBS_PER_PAGE = 500;
const MAX_LISTED = 1000;

interface Amount {
  files: number;
  bytes: number;
}

/** Unused blobs that the same repository had last. */
interface Group {
  readonly repoId: string | null;
  readonly ownerId: string | null;
  readonly due: Amount;
  readonly waiting: Amount;
  /** When the first and the last of those that wait become unused for long enough. */
  nextAt: number;
  lastAt: number;
}

const nothing = (): Amount => ({ files: 0, bytes: 0 });

const add = (to: Amount, { files, bytes }: Readonly<Amount>): void => {
  to.files += files;
  to.bytes += bytes;
};

const sumOf = (amounts: readonly Amount[]): Amount => {
  const sum = nothing();
  for (const amount of amounts) add(sum, amount);
  return sum;
};

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly graceDays: number;
}

export type CollectStorage = ReturnType<typeof createCollection>;

/**
 * Deletes at once what the upkeep would delete within the hour, or only tells what that is. What is due is marked; the
 * upkeep deletes the bytes.
 */
export function createCollection({ database, clock, graceDays }: Dependencies) {
  const { read } = database;
  const graceMs = graceDays * DAY_MS;

  /** Returns the unused blobs of a page; unless it is a dry run, notes them, and marks those that are due. */
  async function collectPage(names: readonly string[], now: number, dryRun: boolean): Promise<UnusedBlob[]> {
    if (dryRun) return findUnused(read, names, now);
    while (!(await database.transaction((tx) => releaseUnused(tx, names, now))));
    return database.transaction(async (tx) => {
      const unused = await findUnused(tx, names, now);
      await markDeletingAmong(
        tx,
        unused.map(({ sha256 }) => sha256),
        { unusedBefore: now - graceMs, now },
      );
      return unused;
    });
  }

  async function groupAll(now: number, dryRun: boolean): Promise<Group[]> {
    const groups = new Map<string, Group>();
    for (let after: string | undefined = ''; after !== undefined; ) {
      const names: string[] = await namesAfter(read, after, BLOBS_PER_PAGE);
      for (const blob of names.length > 0 ? await collectPage(names, now, dryRun) : []) {
        const key = `${blob.last_repo_id} ${blob.last_owner_id}`;
        const known = groups.get(key);
        const group = known ?? {
          ...{ repoId: blob.last_repo_id, ownerId: blob.last_owner_id, due: nothing(), waiting: nothing() },
          ...{ nextAt: Number.POSITIVE_INFINITY, lastAt: 0 },
        };
        if (!known) groups.set(key, group);
        const since = blob.unused_since ?? now;
        const isDue = since < now - graceMs;
        add(isDue ? group.due : group.waiting, { files: 1, bytes: blob.size });
        if (isDue) continue;
        group.nextAt = Math.min(group.nextAt, since + graceMs);
        group.lastAt = Math.max(group.lastAt, since + graceMs);
      }
      after = names.length < BLOBS_PER_PAGE ? undefined : names.at(-1);
    }
    return [...groups.values()];
  }

  /** Lists the groups with the most bytes, with the names that the caller may see. */
  async function present({ principal }: Caller, groups: readonly Group[]): Promise<StorageCollection['repositories']> {
    const bytesOf = ({ due, waiting }: Group) => due.bytes + waiting.bytes;
    const listed = [...groups].sort((a, b) => bytesOf(b) - bytesOf(a)).slice(0, MAX_LISTED);
    const owners = await findAccountsById(
      read,
      listed.flatMap(({ ownerId }) => ownerId ?? []),
    );
    const repos = await listReadable(
      read,
      listed.flatMap(({ repoId }) => repoId ?? []),
      principal,
    );
    const known = new Map(repos.map((repo) => [repo.id, { type: repo.type, name: fullName(repo) }]));
    return listed.map(({ repoId, ownerId, due, waiting, nextAt, lastAt }) => {
      const owner = owners.get(ownerId ?? '')?.name;
      return {
        ...(owner !== undefined && { owner }),
        ...(repoId !== null && { repository: { id: repoId, ...known.get(repoId) } }),
        ...{ due, waiting },
        ...(waiting.files > 0 && { nextAt: timestamp(nextAt), lastAt: timestamp(lastAt) }),
      };
    });
  }

  return async (caller: Caller, { dryRun }: { readonly dryRun: boolean }): Promise<StorageCollection> => {
    const groups = await groupAll(clock.now(), dryRun);
    return {
      ...{ dryRun, graceDays },
      due: sumOf(groups.map(({ due }) => due)),
      waiting: sumOf(groups.map(({ waiting }) => waiting)),
      repositories: await present(caller, groups),
    };
  };
}
