import type { HubDocument, HubReport } from '@moonbase/contract/admin';
import type { Accounts } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, oneAtATime } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
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
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly accounts: Accounts;
  readonly repositories: Repositories;
}

export function createAdmin({ database, clock, ids, events, accounts, repositories }: Dependencies) {
  return {
    /** Brings the hub to what the document says, in one transaction; a document with a fault changes nothing. */
    apply: (caller: Caller, document: HubDocument): Promise<HubReport> =>
      database.transaction(async (tx) => {
        await oneAtATime(tx, APPLYING);
        const run = createApplication(tx, caller);
        await applyUsers(run, document.users, accounts);
        await applyOrganizations(run, document.organizations, { accounts, clock });
        await applyRepos(run, document.repos, repositories);
        await applyPapers(run, document.papers, { clock, ids });
        await applyPosts(run, 'post', document.posts, { clock, ids });
        await applyPosts(run, 'article', document.articles, { clock, ids });
        await removeRepos(run, document.repos, repositories);
        await removeOrganizations(run, document.organizations, repositories);
        await removeUsers(run, document.users, { repositories, events });
        const [first] = run.faults;
        if (first) throw badRequest(`${first.path}: ${first.message}`, run.faults);
        return run.report;
      }),
  };
}
