import type { SpaceRuntime } from '@moonbase/contract/repositories/space-runtime';
import type { Permission } from '@moonbase/contract/route';
import { missingRepo, type Reader, requireReach, requireRepo } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller, ReadingCaller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { encodeCursor, keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { requireFiles } from './gating/gate.ts';
import {
  type CardFields,
  type Downloads,
  type InfoRequest,
  NO_DOWNLOADS,
  presentInfo,
  requireExpandable,
  type Sibling,
} from './info.ts';
import type { Position } from './lists/keyset.ts';
import { listOwned, type OwnedFilter, ownedPosition } from './lists/owned-store.ts';
import { BRANCH, PULL_REQUEST, TAG } from './policy.ts';
import { visibilityOf } from './present.ts';
import { findRepo, fullName, type RepoName, type Repository, refsOf, repoFacts } from './store.ts';

type OwnedQuery = Omit<OwnedFilter, 'after'> & { readonly cursor?: string | undefined; readonly limit: number };

const MAX_PAGE = 1000;

/** Fields that clients request individually and that do not depend on the facts from files. */
const ROW_FIELDS = new Set([
  ...['author', 'createdAt', 'disabled', 'downloads', 'downloadsAllTime', 'gated', 'inferenceProviderMapping'],
  ...['lastModified', 'likes', 'private', 'runtime', 'sha', 'siblings', 'subdomain', 'trendingScore', 'usedStorage'],
  'xetEnabled',
]);

/** Sorts v2 before v10, and pull requests by number. */
const byName = new Intl.Collator('en', { numeric: true });

/**
 * Returns a repository that the caller may read. Throws 404 otherwise, whether the repository exists or not.
 */
export async function readRepo(
  executor: ReadExecutor,
  caller: ReadingCaller,
  name: RepoName,
  permission: Permission = 'repo.content.read',
): Promise<Repository> {
  const repo = await findRepo(executor, name);
  if (!repo) throw await missingRepo(executor, caller.principal, name.namespace);
  await requireRepo(executor, caller.principal, repoFacts(repo), permission);
  return repo;
}

/** Like `readRepo`, for what shows or sends files. Throws 401 or 403 with the code `GatedRepo` if they are kept from the caller. */
export async function readRepoFiles(
  executor: ReadExecutor,
  caller: ReadingCaller,
  name: RepoName,
  permission?: Permission,
): Promise<Repository> {
  const repo = await readRepo(executor, caller, name, permission);
  await requireFiles(executor, caller, repo);
  return repo;
}

/** The number and the total size of the files of a bucket. */
export interface BucketTotal {
  readonly files: number;
  readonly bytes: number;
}

/** The content of repositories, which another slice provides. */
export interface RepoContents {
  /** Returns the commit of a revision. Throws 404 if there is none. */
  readonly commitOf: (repo: Repository, revision: string) => Promise<string>;
  /** Returns the files of a commit, with their sizes and ids if `blobs` is true. */
  readonly siblings: (repoId: string, commit: string, blobs: boolean) => Promise<Sibling[]>;
  /** Returns the total size in bytes of a repository's large files, each counted once. */
  readonly usedStorage: (repoId: string) => Promise<number>;
  /** Returns the stored facts about a repository's files, with the metadata of the README at a commit. */
  readonly card: (repo: Repository, at: { readonly commit: string; readonly address: string }) => Promise<CardFields>;
  /** Returns the numbers of downloads of a repository. */
  readonly downloads: (repoId: string) => Promise<Downloads>;
  /** Returns the state of a Space, as far as a reader may know it. */
  readonly runtime: (spaceId: string, reader: Reader) => Promise<SpaceRuntime>;
  /** Returns the number and the total size of the files of those of some buckets that have any. */
  readonly bucketTotals: (ids: readonly string[]) => Promise<ReadonlyMap<string, BucketTotal>>;
  /** Returns whether a user likes a repository. */
  readonly isLiked: (repoId: string, userId: string | undefined) => Promise<boolean>;
}

interface Dependencies {
  readonly database: Database;
  readonly contents: RepoContents;
}

/** The verbs that only read. */
export function createRepoReading({ database: { read }, contents }: Dependencies) {
  async function pageOf(caller: ReadingCaller, ownerId: string, { cursor, limit, ...filter }: OwnedQuery) {
    const size = Math.min(limit, MAX_PAGE);
    const after = positionIn(cursor);
    const { rows, until } = await listOwned(read, ownerId, caller.principal, { ...filter, after }, size + 1);
    const page = pageFrom(rows, size, (repo) => cursorKeyOf(ownedPosition(repo, filter.sort)));
    return { items: page.items, next: page.next ?? (until && encodeCursor(cursorKeyOf(until))) };
  }

  async function listPage(caller: Caller, ownerId: string, query: OwnedQuery) {
    const { items, next } = await pageOf(caller, ownerId, query);
    return { items: items.map(presentWithStorage), next } satisfies PageOf<unknown>;
  }

  return {
    async get(
      caller: ReadingCaller,
      name: RepoName,
      { expand, blobs, securityStatus }: InfoRequest,
      revision = 'main',
    ) {
      requireExpandable(name.type, expand);
      const repo = await readRepo(read, caller, name);
      const sha = await contents.commitOf(repo, revision);
      const isWanted = (field: string) => repo.type !== 'kernel' && (!expand || expand.includes(field));
      const siblings = isWanted('siblings') ? await contents.siblings(repo.id, sha, blobs) : [];
      const usedStorage = isWanted('usedStorage') ? await contents.usedStorage(repo.id) : 0;
      const isCardWanted = repo.type !== 'kernel' && !expand?.every((field) => ROW_FIELDS.has(field));
      const card = isCardWanted ? await contents.card(repo, { commit: sha, address: caller.address }) : {};
      const isCountWanted = repo.type !== 'space' && (!expand || expand.some((field) => field.startsWith('downloads')));
      const downloads = isCountWanted ? await contents.downloads(repo.id) : NO_DOWNLOADS;
      const isLiked = repo.type === 'kernel' && (await contents.isLiked(repo.id, caller.principal.userId));
      const runtime =
        repo.type === 'space' && isWanted('runtime') ? await contents.runtime(repo.id, caller.principal) : undefined;
      const findings = { sha, siblings, usedStorage, card, downloads, isLiked, runtime };
      return presentInfo(repo, findings, { expand, securityStatus });
    },

    async getBucket(caller: ReadingCaller, name: Omit<RepoName, 'type'>) {
      const repo = await readRepo(read, caller, { ...name, type: 'bucket' });
      return presentBucket(repo, (await contents.bucketTotals([repo.id])).get(repo.id));
    },

    /** Returns a page of the buckets of an account that the caller may read, the last one made first. */
    async listBuckets(
      caller: ReadingCaller,
      namespace: string,
      query: Pick<OwnedQuery, 'search' | 'cursor' | 'limit'>,
    ) {
      const owner = await findAccount(read, namespace);
      if (!owner) throw notFound(`There is no user or organization named ${namespace}`);
      requireReach(caller.principal, owner.id);
      const { items, next } = await pageOf(caller, owner.id, {
        ...{ ...query, type: 'bucket', sort: 'storage', direction: 'desc' },
      });
      const totals = await contents.bucketTotals(items.map(({ id }) => id));
      return { items: items.map((repo) => presentBucket(repo, totals.get(repo.id))), next } satisfies PageOf<unknown>;
    },

    async refs(caller: ReadingCaller, name: RepoName, withPullRequests: boolean) {
      const repo = await readRepo(read, caller, name);
      const refs = await refsOf(read, repo.id, withPullRequests);
      const withPrefix = (prefix: string) =>
        refs
          .filter(({ ref }) => ref.startsWith(prefix))
          .map(({ ref, sha }) => ({ name: ref.slice(prefix.length), ref, targetCommit: sha }))
          .sort((a, b) => byName.compare(a.name, b.name));
      return {
        branches: withPrefix(BRANCH),
        tags: withPrefix(TAG),
        converts: [],
        ...(withPullRequests && { pullRequests: withPrefix(PULL_REQUEST) }),
      };
    },

    checkAccess: (caller: ReadingCaller, name: RepoName, permission: Permission) =>
      readRepoFiles(read, caller, name, permission),

    listOwn: (caller: Caller, query: OwnedQuery) => listPage(caller, caller.principal.userId, query),

    async listOfOrganization(caller: Caller, name: string, query: OwnedQuery) {
      const organization = await findAccount(read, name);
      if (organization?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
      requireReach(caller.principal, organization.id);
      return listPage(caller, organization.id, query);
    },
  };
}

const presentBucket = (repo: Repository, { files, bytes }: BucketTotal = { files: 0, bytes: 0 }) => ({
  _id: repo.id,
  author: repo.ownerName,
  id: fullName(repo),
  private: repo.private === 1,
  createdAt: timestamp(repo.created_at),
  updatedAt: timestamp(repo.last_modified),
  size: bytes,
  totalFiles: files,
  repoType: 'bucket' as const,
  cdnRegions: [],
});

const presentWithStorage = (repo: Repository) => ({
  id: fullName(repo),
  type: repo.type,
  updatedAt: timestamp(repo.last_modified),
  visibility: visibilityOf(repo),
  storage: 0,
  storagePercent: 0,
});

const cursorKeyOf = ({ value, id }: Position): string => `${value}.${id}`;

function positionIn(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const [, value, id = ''] = keyFromCursor(cursor, /^(\d{1,15})\.([0-9a-f]{24})$/);
  return { value: Number(value), id };
}
