import type { Permission } from '@moonbase/contract/route';
import { missingRepo, type RepoRole, requireRepo } from '../access/index.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { lockRepo, type RepoName, type Repository, repoFacts } from './store.ts';

export type RunRepoChange = ReturnType<typeof createChangeRunner>;

/** Runs a change on a locked repository that the caller may write to. */
export const createChangeRunner =
  (database: Database) =>
  <T>(
    caller: Caller,
    name: RepoName,
    change: (tx: Executor, repo: Repository, role: RepoRole) => Promise<T>,
  ): Promise<T> =>
    database.transaction(async (tx) => {
      const { repo, role } = await lockFor(tx, caller, name, 'repo.write');
      return change(tx, repo, role);
    });

/** Locks a repository that the caller may read. Throws 404 otherwise, whether the repository exists or not. */
export const lockReadableRepo = async (tx: Executor, caller: Caller, name: RepoName): Promise<Repository> =>
  (await lockFor(tx, caller, name, 'repo.content.read')).repo;

/** Locks a repository that the caller may write to. Throws 403 or 404 otherwise. */
export const lockWritableRepo = async (tx: Executor, caller: Caller, name: RepoName): Promise<Repository> =>
  (await lockFor(tx, caller, name, 'repo.write')).repo;

async function lockFor(tx: Executor, { principal }: Caller, name: RepoName, permission: Permission) {
  const repo = await lockRepo(tx, name);
  if (!repo) throw await missingRepo(tx, principal, name.namespace);
  return { repo, role: await requireRepo(tx, principal, repoFacts(repo), permission) };
}
