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
      const repo = await lockRepo(tx, name);
      if (!repo) throw await missingRepo(tx, caller.principal, name.namespace);
      const role = await requireRepo(tx, caller.principal, repoFacts(repo), 'repo.write');
      return change(tx, repo, role);
    });
