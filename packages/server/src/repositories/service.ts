import type { RepoType } from '@moonbase/contract/primitives';
import { requireNamespace, requireNamespaceInGroup, requireUngroup, roleOf } from '../access/index.ts';
import { findAccount } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { createBranchesAndTags } from './branches-and-tags.ts';
import { createRepoChanges, isPrivate, type RepoSettings } from './changes.ts';
import { createChanging } from './changing.ts';
import { repoNameFault } from './policy.ts';
import { presentSettings, repoUrls } from './present.ts';
import { createRepoReading } from './reading.ts';
import { findRepo, fullName, type RepoName, type Repository, repoFacts } from './store.ts';

interface NewRepoSettings extends RepoSettings {
  readonly sdk?: string | undefined;
  /** The resource group that it is made in. */
  readonly resourceGroupId?: string | null | undefined;
}

export type Repositories = ReturnType<typeof createRepositories>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
}

export function createRepositories({ database, clock, ids, events, audit }: Dependencies) {
  const changing = createChanging(database);
  const changes = createRepoChanges({ clock, ids, events, audit });

  return {
    ...createRepoReading({ database }),
    ...createBranchesAndTags({ changing, clock, ids, events }),
    insert: changes.insert,
    applySettings: changes.applySettings,
    remove: changes.remove,

    /** 409 where it exists, with `url` and `id` for those who may see it. */
    async create(caller: Caller, name: RepoName, settings: NewRepoSettings) {
      requireRepoName(name.name);
      refuseProtected(name.type, settings);
      const present = (repo: Repository) => ({
        url: repoUrls(caller.baseUrl, repo.type, fullName(repo)).web,
        name: fullName(repo),
        id: repo.id,
      });
      try {
        return await database.transaction(async (tx) => {
          const owner = await findAccount(tx, name.namespace);
          if (!owner) throw notFound(`There is no user or organization named ${name.namespace}`);
          const groupId = settings.resourceGroupId?.toLowerCase();
          if (groupId === undefined) await requireNamespace(tx, caller.principal, owner.id, name.type);
          else await requireNamespaceInGroup(tx, caller.principal, owner, groupId);
          const target = { ...name, ownerId: owner.id, ownerName: owner.name, ownerKind: owner.kind };
          const { sdk } = settings;
          const repo = await changes.insert(tx, caller, target, {
            private: isPrivate(settings) ?? false,
            sdk,
            groupId,
          });
          return present(repo);
        });
      } catch (error) {
        if (sqlFault(error) !== 'unique') throw error;
        const existing = await findRepo(database.read, name);
        const seen = existing && (await roleOf(database.read, caller.principal, repoFacts(existing)));
        // Where the caller may not see it, its name is all that is told: that it is taken.
        if (!seen) throw conflict(`There is a ${name.type} with this name already`);
        throw conflict(`You already created this ${name.type} repo`, { url: present(existing).url, id: existing.id });
      }
    },

    delete: (caller: Caller, name: RepoName) => changing(caller, name, (tx, repo) => changes.remove(tx, caller, repo)),

    /** Renames a repository or gives it to another namespace where the caller may create. */
    async move(caller: Caller, type: RepoType, from: Omit<RepoName, 'type'>, to: Omit<RepoName, 'type'>) {
      requireRepoName(to.name);
      await changing(caller, { type, ...from }, async (tx, repo, role) => {
        const owner = await findAccount(tx, to.namespace);
        if (!owner) throw notFound(`There is no user or organization named ${to.namespace}`);
        await requireNamespace(tx, caller.principal, owner.id, type);
        if (owner.id !== repo.owner_id) await requireUngroup(tx, caller.principal, repoFacts(repo), role);
        if (owner.id === repo.owner_id && to.name === repo.name) throw conflict('The repository has this name already');
        await changes.move(tx, caller, repo, { owner, name: to.name });
      }).catch((error: unknown) => {
        throw sqlFault(error) === 'unique' ? conflict('There is a repository with this name already') : error;
      });
    },

    async updateSettings(caller: Caller, name: RepoName, settings: RepoSettings) {
      refuseProtected(name.type, settings);
      return changing(caller, name, async (tx, repo, role) => {
        if (repo.private === 1 && isPrivate(settings) === false)
          await requireUngroup(tx, caller.principal, repoFacts(repo), role);
        return presentSettings(await changes.applySettings(tx, caller, repo, settings));
      });
    },
  };
}

function refuseProtected(type: RepoType, settings: RepoSettings): void {
  if (settings.visibility === 'protected' && type !== 'space')
    throw badRequest('body.visibility: protected is for Spaces only');
}

function requireRepoName(name: string): void {
  const fault = repoNameFault(name);
  if (fault) throw badRequest(`The name ${name} ${fault}`);
}
