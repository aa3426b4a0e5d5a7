import type { HubDocument, HubReport } from '@moonbase/contract/admin/hub-document';
import type { Memberships } from '../access/index.ts';
import type { Accounts } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Erase } from '../members/index.ts';
import type { Papers } from '../papers/index.ts';
import { type Database, serialize } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { Posts } from '../posts/index.ts';
import type { Repositories } from '../repositories/index.ts';
import { createApplication } from './application.ts';
import { applyOrganizations, removeOrganizations } from './apply-organizations.ts';
import { applyRepos, removeRepos } from './apply-repos.ts';
import { applyPapers, applyPosts } from './apply-texts.ts';
import { applyUsers, removeUsers } from './apply-users.ts';

/** Names the lock that keeps two documents apart. */
const APPLYING = 7781;

export type Admin = ReturnType<typeof createAdmin>;

interface Dependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly memberships: Memberships;
  readonly repositories: Repositories;
  readonly papers: Papers;
  readonly posts: Posts;
  readonly audit: AuditLog;
  readonly erase: Erase;
}

export function createAdmin(services: Dependencies) {
  const { database, accounts, memberships, repositories, papers, posts, audit, erase } = services;
  return {
    /** Brings the hub to what the document says, in one transaction; a document with a fault changes nothing. */
    apply: (caller: Caller, document: HubDocument): Promise<HubReport> =>
      database.transaction(async (tx) => {
        await serialize(tx, APPLYING);
        const run = createApplication(tx, caller);
        await applyUsers(run, document.users, accounts);
        await applyOrganizations(run, document.organizations, { accounts, memberships, audit });
        await applyRepos(run, document.repos, repositories);
        await applyPapers(run, document.papers, papers);
        await applyPosts(run, 'post', document.posts, posts);
        await applyPosts(run, 'article', document.articles, posts);
        await removeRepos(run, document.repos, repositories);
        await removeOrganizations(run, document.organizations, { repositories, audit });
        await removeUsers(run, document.users, erase);
        const [first] = run.faults;
        if (first) throw badRequest(`${first.path}: ${first.message}`, run.faults);
        return run.report;
      }),
  };
}
