import type { Permission } from '@moonbase/contract/route';
import { missingRepo, requireReach, requireRepo } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { Database, ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { keyFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { presentInfo, requireExpandable } from './info.ts';
import { BRANCH, PULL_REQUEST, TAG } from './policy.ts';
import { visibilityOf } from './present.ts';
import { resolveRevision } from './refs.ts';
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

/** v2 before v10, pull requests by number. */
const byName = new Intl.Collator('en', { numeric: true });

/** A repository that the caller may read; 404 otherwise, whether it is there or not. */
export async function readRepo(
  executor: ReadExecutor,
  caller: Caller,
  name: RepoName,
  permission: Permission = 'repo.content.read',
): Promise<Repository> {
  const repo = await findRepo(executor, name);
  if (!repo) throw await missingRepo(executor, caller.principal, name.namespace);
  await requireRepo(executor, caller.principal, repoFacts(repo), permission);
  return repo;
}

/** The verbs that change nothing. */
export function createRepoReading({ database: { read } }: { readonly database: Database }) {
  async function owned(caller: Caller, ownerId: string, { cursor, limit, ...filter }: OwnedQuery) {
    const size = Math.min(limit, MAX_PAGE);
    const after = lastFrom(cursor);
    const rows = await listOwned(read, ownerId, caller.principal, { ...filter, after }, size + 1);
    const { items, next } = pageFrom(rows, size, (repo) => `${repo.last_modified}.${repo.id}`);
    return { items: items.map(presentStored), next } satisfies PageOf<unknown>;
  }

  return {
    async get(caller: Caller, name: RepoName, expand: string[] | undefined, revision = 'main') {
      requireExpandable(name.type, expand);
      const repo = await readRepo(read, caller, name);
      return presentInfo(repo, await resolveRevision(read, repo, revision), expand);
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
