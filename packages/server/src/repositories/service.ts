import type { RepoType } from '@moonbase/contract/primitives';
import { requireNamespace, requireUngroup } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { createRepoAudit } from './audit.ts';
import { createChangeRunner } from './change-runner.ts';
import { createRepoChanges, isPrivate, type RepoSettings } from './changes.ts';
import {
  createRepoCreation,
  nameTakenBySomebody,
  refuseProtected,
  requireRepoName,
  type WriteFirstFiles,
} from './creating.ts';
import { createAccessRequests } from './gating/service.ts';
import type { SpaceSetup } from './new-space.ts';
import { presentSettings } from './present.ts';
import { createRepoReading, type RepoContents, readRepo } from './reading.ts';
import { createBranchesAndTags, type WriteTag } from './refs/branches-and-tags.ts';
import { ownedBy, type RepoName, type Repository, repoFacts } from './store.ts';

export type Repositories = ReturnType<typeof createRepositories>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
  readonly contents: RepoContents & {
    readonly newSpaces: SpaceSetup;
    readonly onRefsChanged: (repoId: string) => void;
    readonly writeTag: WriteTag;
    readonly writeFirstFiles: WriteFirstFiles;
    /** Throws 413 if the large files of a repository would exceed the quota of the owner that it is about to get. */
    readonly claimRoomFor: (tx: Executor, repo: Repository) => Promise<void>;
  };
}

export function createRepositories({ database, clock, ids, events, audit, contents }: Dependencies) {
  const runChange = createChangeRunner(database);
  const changes = createRepoChanges({ clock, ids, events, audit });

  return {
    ...createRepoReading({ database, contents }),
    ...createBranchesAndTags({
      ...{ database, runChange, contents },
      ports: { clock, events, onRefsChanged: contents.onRefsChanged },
    }),
    ...createRepoCreation({ database, clock, ids, changes, ...contents }),
    accessRequests: createAccessRequests({
      ...{ database, clock, ids, events, runChange, contents, audit: createRepoAudit(audit) },
    }),
    insert: changes.insert,
    applySettings: changes.applySettings,
    remove: changes.remove,

    delete: (caller: Caller, name: RepoName) => runChange(caller, name, (tx, repo) => changes.remove(tx, caller, repo)),

    /** Renames a repository, or transfers it to a namespace in which the caller may create repositories. */
    async move(caller: Caller, type: RepoType, from: Omit<RepoName, 'type'>, to: Omit<RepoName, 'type'>) {
      requireRepoName(to.name);
      await runChange(caller, { type, ...from }, async (tx, repo, role) => {
        const owner = await findAccount(tx, to.namespace);
        if (!owner) throw notFound(`There is no user or organization named ${to.namespace}`);
        await requireNamespace(tx, caller.principal, owner.id, type);
        if (owner.id !== repo.owner_id) {
          await requireUngroup(tx, caller.principal, repoFacts(repo), role);
          await contents.claimRoomFor(tx, { ...repo, owner_id: owner.id, ...ownedBy(owner) });
        }
        if (owner.id === repo.owner_id && to.name === repo.name) throw conflict('The repository already has this name');
        await changes.move(tx, caller, repo, { owner, name: to.name });
      }).catch((error: unknown) => {
        throw sqlFault(error) === 'unique' ? nameTakenBySomebody({ type, ...to }) : error;
      });
    },

    /** Returns the settings of a repository that the caller may write to. Throws 403 or 404 otherwise. */
    settings: async (caller: Caller, name: RepoName) =>
      presentSettings(await readRepo(database.read, caller, name, 'repo.write')),

    async updateSettings(caller: Caller, name: RepoName, settings: RepoSettings) {
      refuseProtected(name.type, settings);
      return runChange(caller, name, async (tx, repo, role) => {
        if (repo.private === 1 && isPrivate(settings) === false)
          await requireUngroup(tx, caller.principal, repoFacts(repo), role);
        return presentSettings(await changes.applySettings(tx, caller, repo, settings));
      });
    },
  };
}
