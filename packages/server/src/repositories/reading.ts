import type { Permission } from '@moonbase/contract/route';
import { requireReach, requireRepo } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import {
  type Asked,
  type CardFields,
  type Downloads,
  NO_DOWNLOADS,
  presentInfo,
  requireExpandable,
  type Sibling,
} from './info.ts';
import { asMissing, missingOrMoved } from './moved.ts';
import { BRANCH, PULL_REQUEST, TAG } from './policy.ts';
import { visibilityOf } from './present.ts';
import {
  findRepo,
  fullName,
  listOwned,
  type OwnedFilter,
  type RepoName,
  type Repository,
  refsOf,
  repoFacts,
} from './store.ts';

type OwnedQuery = Omit<OwnedFilter, 'after'> & { readonly cursor?: string | undefined; readonly limit: number };

const MAX_PAGE = 1000;

/** Fields that clients ask for alone, and that nothing in the files decides. */
const OF_ROW = new Set([
  ...['author', 'createdAt', 'disabled', 'downloads', 'downloadsAllTime', 'gated', 'inferenceProviderMapping'],
  ...['lastModified', 'likes', 'private', 'sha', 'siblings', 'subdomain', 'trendingScore', 'usedStorage', 'xetEnabled'],
]);

/** v2 before v10, pull requests by number. */
const byName = new Intl.Collator('en', { numeric: true });

/**
 * Returns a repository that the caller may read. Throws 404 otherwise, whether the repository is there or not, and 307
 * where it has another name by now.
 */
export async function readRepo(
  executor: ReadExecutor,
  caller: Caller,
  name: RepoName,
  permission: Permission = 'repo.content.read',
): Promise<Repository> {
  const repo = await findRepo(executor, name);
  if (!repo) throw await missingOrMoved(executor, caller, name);
  await requireRepo(executor, caller.principal, repoFacts(repo), permission).catch(async (error: unknown) => {
    throw await asMissing(executor, caller, name, error);
  });
  return repo;
}

/** What is in repositories. */
export interface RepoContents {
  /** Returns the commit that a revision stands for; 404 where it is none. */
  readonly commitOf: (repo: Repository, revision: string) => Promise<string>;
  /** Returns the files of a commit. `blobs`: with their sizes and ids. */
  readonly siblings: (repoId: string, commit: string, blobs: boolean) => Promise<Sibling[]>;
  /** Returns the bytes of the large files of a repository, each counted once. */
  readonly usedStorage: (repoId: string) => Promise<number>;
  /** Returns what the hub has read from the files of a repository. */
  readonly card: (repo: Repository) => Promise<CardFields>;
  /** Returns how often files of a repository were downloaded. */
  readonly downloads: (repoId: string) => Promise<Downloads>;
}

interface Dependencies {
  readonly database: Database;
  readonly contents: RepoContents;
}

/** The verbs that change nothing. */
export function createRepoReading({ database: { read }, contents }: Dependencies) {
  async function owned(caller: Caller, ownerId: string, { cursor, limit, ...filter }: OwnedQuery) {
    const size = Math.min(limit, MAX_PAGE);
    const after = lastFrom(cursor);
    const rows = await listOwned(read, ownerId, caller.principal, { ...filter, after }, size + 1);
    const { items, next } = pageFrom(rows, size, (repo) => `${repo.last_modified}.${repo.id}`);
    return { items: items.map(presentStored), next } satisfies PageOf<unknown>;
  }

  return {
    async get(caller: Caller, name: RepoName, { expand, blobs, securityStatus }: Asked, revision = 'main') {
      requireExpandable(name.type, expand);
      const repo = await readRepo(read, caller, name);
      const sha = await contents.commitOf(repo, revision);
      const isWanted = (field: string) => repo.type !== 'kernel' && (!expand || expand.includes(field));
      const siblings = isWanted('siblings') ? await contents.siblings(repo.id, sha, blobs) : [];
      const usedStorage = isWanted('usedStorage') ? await contents.usedStorage(repo.id) : 0;
      const isCardWanted = repo.type !== 'kernel' && !expand?.every((field) => OF_ROW.has(field));
      const card = isCardWanted ? await contents.card(repo) : {};
      const isCountWanted = repo.type !== 'space' && (!expand || expand.some((field) => field.startsWith('downloads')));
      const downloads = isCountWanted ? await contents.downloads(repo.id) : NO_DOWNLOADS;
      return presentInfo(repo, { sha, siblings, usedStorage, card, downloads }, { expand, securityStatus });
    },

    async getBucket(caller: Caller, name: Omit<RepoName, 'type'>) {
      const repo = await readRepo(read, caller, { ...name, type: 'bucket' });
      return {
        author: repo.ownerName,
        id: fullName(repo),
        private: repo.private === 1,
        createdAt: timestamp(repo.created_at),
        updatedAt: timestamp(repo.last_modified),
        size: 0,
        totalFiles: 0,
        repoType: 'bucket' as const,
        cdnRegions: [],
      };
    },

    async refs(caller: Caller, name: RepoName, withPullRequests: boolean) {
      const repo = await readRepo(read, caller, name);
      const refs = await refsOf(read, repo.id, withPullRequests);
      const below = (prefix: string) =>
        refs
          .filter(({ ref }) => ref.startsWith(prefix))
          .map(({ ref, sha }) => ({ name: ref.slice(prefix.length), ref, targetCommit: sha }))
          .sort((a, b) => byName.compare(a.name, b.name));
      return {
        branches: below(BRANCH),
        tags: below(TAG),
        converts: [],
        ...(withPullRequests && { pullRequests: below(PULL_REQUEST) }),
      };
    },

    checkAccess: (caller: Caller, name: RepoName, permission: Permission) => readRepo(read, caller, name, permission),

    listOwn: (caller: Caller, query: OwnedQuery) => owned(caller, caller.principal.userId, query),

    async listOfOrganization(caller: Caller, name: string, query: OwnedQuery) {
      const organization = await findAccount(read, name);
      if (organization?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
      requireReach(caller.principal, organization.id);
      return owned(caller, organization.id, query);
    },
  };
}

const presentStored = (repo: Repository) => ({
  id: fullName(repo),
  type: repo.type,
  updatedAt: timestamp(repo.last_modified),
  visibility: visibilityOf(repo),
  storage: 0,
  storagePercent: 0,
});

function lastFrom(cursor: string | undefined): OwnedFilter['after'] {
  if (cursor === undefined) return undefined;
  const [, time, id = ''] = keyFromCursor(cursor, /^(\d{1,15})\.([0-9a-f]{24})$/);
  return { last_modified: Number(time), id };
}
