import type { HubDocument, HubReport } from '@moonbase/contract/admin/hub-document';
import type { Memberships } from '../../access/index.ts';
import type { Accounts } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { PutFiles } from '../../content/index.ts';
import type { Erase } from '../../members/index.ts';
import type { Papers } from '../../papers/index.ts';
import type { Database, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { badRequest } from '../../platform/http/errors.ts';
import { createMutex } from '../../platform/mutex.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import type { Posts } from '../../posts/index.ts';
import type { AccountQuotas } from '../../quotas/index.ts';
import type { Repositories } from '../../repositories/index.ts';
import type { Spaces } from '../../spaces/index.ts';
import { faultsOf } from './check.ts';
import { readHubState } from './hub-state.ts';
import { applyOrganizations, removeOrganizations } from './organizations.ts';
import { applyFiles, applyRepos, removeRepos } from './repos.ts';
import { applySpaces } from './spaces.ts';
import { type Steps, stepsOf, stepsWithin } from './steps.ts';
import { applyPapers, applyPosts } from './texts.ts';
import { applyUsers, removeUsers } from './users.ts';

export interface ApplyDependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  /** Makes open streams of a user look their caller up again. */
  readonly callers: Signals;
  readonly memberships: Memberships;
  readonly repositories: Repositories;
  readonly spaces: Pick<Spaces, 'environment' | 'volumes'>;
  readonly papers: Papers;
  readonly posts: Posts;
  readonly quotas: Pick<AccountQuotas, 'setStorage'>;
  readonly audit: AuditLog;
  readonly erase: Erase;
  readonly putFiles: PutFiles;
}

/** The maximum number of items in a document that is applied in one transaction. */
const MAX_AT_ONCE = 100;

/**
 * Returns whether a document is small; one that removes organizations is not, because they may have any number of
 * repositories.
 */
function isSmall({ users, organizations, repos, papers, posts, articles }: HubDocument): boolean {
  const nested = [
    ...users.map(({ tokens }) => tokens.length),
    ...organizations.map(({ members }) => members.length),
    ...papers.map(({ authors }) => authors?.length ?? 0),
    ...repos.flatMap(({ variables, secrets, volumes }) =>
      [variables, secrets, volumes].map((list) => list?.length ?? 0),
    ),
  ];
  const lists = [users, organizations, repos, papers, posts, articles].map(({ length }) => length);
  return (
    [...lists, ...nested].reduce((sum, count) => sum + count, 0) <= MAX_AT_ONCE &&
    !organizations.some(({ state }) => state === 'absent')
  );
}

/**
 * Makes the hub match a document. The whole document is checked first, so that an invalid one changes nothing. A large
 * document is then applied in steps; if this is interrupted, applying it again completes it.
 */
export function createApply(services: ApplyDependencies) {
  const { database, accounts, callers, memberships, repositories, spaces, papers, posts } = services;
  const { quotas, audit, erase, putFiles } = services;
  const runExclusive = createMutex();

  async function check(read: ReadExecutor, { principal }: Caller, document: HubDocument): Promise<void> {
    const faults = faultsOf(document, await readHubState(read, document), principal);
    const [first] = faults;
    if (first) throw badRequest(`${first.path}: ${first.message}`, faults);
  }

  async function applyAll(steps: Steps, document: HubDocument): Promise<HubReport> {
    await applyUsers(steps, document.users, { accounts, callers, quotas, audit });
    await applyOrganizations(steps, document.organizations, { accounts, memberships, quotas, audit });
    await applyRepos(steps, document.repos, repositories);
    await applySpaces(steps, document.repos, spaces);
    await applyPapers(steps, document.papers, papers);
    await applyPosts(steps, 'post', document.posts, posts);
    await applyPosts(steps, 'article', document.articles, posts);
    await removeRepos(steps, document.repos, repositories);
    await removeOrganizations(steps, document.organizations, { repositories, audit });
    await removeUsers(steps, document.users, erase);
    return steps.report;
  }

  async function applyNow(caller: Caller, document: HubDocument): Promise<HubReport> {
    if (isSmall(document))
      return database.transaction(async (tx) => {
        const steps = await stepsWithin(tx, caller);
        await check(tx, caller, document);
        return applyAll(steps, document);
      });
    await check(database.read, caller, document);
    return applyAll(stepsOf(database, caller), document);
  }

  return (caller: Caller, document: HubDocument): Promise<HubReport> =>
    runExclusive(async () => {
      const report = await applyNow(caller, document);
      await applyFiles(caller, document.repos, putFiles);
      return report;
    });
}
