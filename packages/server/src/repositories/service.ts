import type { RepoType } from '@moonbase/contract/primitives';
import {
  missingRepo,
  type RepoRole,
  requireNamespace,
  requireNamespaceInGroup,
  requireRepo,
  requireUngroup,
  roleOf,
} from '../access/index.ts';
import { findAccount, nameKey } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { createRepoAudit } from './audit.ts';
import { recordRepoEvent } from './events.ts';
import { BRANCH, MAIN, refNameFault, repoNameFault, TAG } from './policy.ts';
import { presentSettings, repoUrls } from './present.ts';
import { createRepoReading } from './reading.ts';
import { changeRef, madeCommitId, resolveRevision } from './refs.ts';
import {
  deleteRepo,
  findRepo,
  fullName,
  insertRepo,
  lockRepo,
  putRef,
  type RepoName,
  type Repository,
  refSha,
  repoFacts,
  updateRepo,
} from './store.ts';
import type { RepositoryRow } from './tables.ts';

export interface RepoSettings {
  readonly private?: boolean | null | undefined;
  readonly visibility?: 'private' | 'public' | 'protected' | undefined;
  readonly discussionsDisabled?: boolean | undefined;
  readonly gated?: false | 'auto' | 'manual' | undefined;
}

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

export function createRepositories({ database, clock, ids, events, audit: auditLog }: Dependencies) {
  const audit = createRepoAudit(auditLog);

  /** Runs a change on a repository that the caller may change. */
  const changing = <T>(
    caller: Caller,
    name: RepoName,
    change: (tx: Executor, repo: Repository, role: RepoRole) => Promise<T>,
  ) =>
    database.transaction(async (tx) => {
      const repo = await lockRepo(tx, name);
      if (!repo) throw await missingRepo(tx, caller.principal, name.namespace);
      const role = await requireRepo(tx, caller.principal, repoFacts(repo), 'repo.write');
      return change(tx, repo, role);
    });

  /** Creates a repository without asking who may: for the verb below and for filling a hub. */
  async function insert(
    tx: Executor,
    caller: Caller,
    name: RepoName & { ownerId: string; ownerName: string; ownerKind: 'user' | 'org' },
    settings: { private: boolean; sdk?: string | undefined; groupId?: string | undefined },
  ): Promise<Repository> {
    const id = ids();
    const row: RepositoryRow = {
      id,
      type: name.type,
      owner_id: name.ownerId,
      name: name.name,
      name_key: nameKey(name.name),
      private: settings.private ? 1 : 0,
      created_by: caller.principal.userId,
      created_at: clock.now(),
      last_modified: clock.now(),
      resource_group_id: settings.groupId ?? null,
      resource_group_added_by: settings.groupId ? caller.principal.userId : null,
      head_sha: name.type === 'bucket' ? null : madeCommitId(id),
      sdk: settings.sdk ?? null,
      gated: null,
      discussions_disabled: 0,
      discussion_count: 0,
    };
    await insertRepo(tx, row);
    if (row.head_sha !== null) await putRef(tx, id, MAIN, row.head_sha);
    const repo = { ...row, ownerName: name.ownerName, ownerKind: name.ownerKind };
    await recordRepoEvent(events, tx, caller, repo, { scope: 'repo', action: 'create' });
    await audit.created(tx, caller, repo);
    return repo;
  }

  /** Applies settings that differ and records one `repo.config`; `private` is the one named there (W§3.1). */
  async function applySettings(tx: Executor, caller: Caller, repo: Repository, settings: RepoSettings) {
    const wanted: Partial<RepositoryRow> = {
      ...(isPrivate(settings) !== undefined && { private: isPrivate(settings) ? 1 : 0 }),
      ...(settings.discussionsDisabled !== undefined && { discussions_disabled: settings.discussionsDisabled ? 1 : 0 }),
      ...(settings.gated !== undefined && { gated: settings.gated === false ? null : settings.gated }),
    };
    const change = Object.fromEntries(
      Object.entries(wanted).filter(([key, value]) => repo[key as keyof RepositoryRow] !== value),
    ) as Partial<RepositoryRow>;
    if (Object.keys(change).length === 0) return repo;
    await updateRepo(tx, repo.id, change);
    const changed = { ...repo, ...change };
    await recordRepoEvent(events, tx, caller, changed, {
      scope: 'repo.config',
      action: 'update',
      extra: { updatedConfig: change.private === undefined ? {} : { private: change.private === 1 } },
    });
    await audit.settingsUpdated(tx, caller, repo, changed, change);
    return changed;
  }

  async function remove(tx: Executor, caller: Caller, repo: Repository): Promise<void> {
    await deleteRepo(tx, repo.id);
    await recordRepoEvent(events, tx, caller, repo, { scope: 'repo', action: 'delete' });
    await audit.deleted(tx, caller, repo);
  }

  return {
    ...createRepoReading({ database }),
    insert,
    applySettings,
    remove,

    /** 409 where it exists, with `url` and `id` for those who may see it. */
    async create(caller: Caller, name: RepoName, settings: NewRepoSettings) {
      refuse(repoNameFault(name.name), name.name);
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
          const repo = await insert(tx, caller, target, { private: isPrivate(settings) ?? false, sdk, groupId });
          return present(repo);
        });
      } catch (error) {
        if (sqlFault(error) !== 'unique') throw error;
        const existing = await findRepo(database.executor, name);
        const seen = existing && (await roleOf(database.executor, caller.principal, repoFacts(existing)));
        // Where the caller may not see it, its name is all that is told: that it is taken.
        if (!seen) throw conflict(`There is a ${name.type} with this name already`);
        throw conflict(`You already created this ${name.type} repo`, { url: present(existing).url, id: existing.id });
      }
    },

    delete: (caller: Caller, name: RepoName) => changing(caller, name, (tx, repo) => remove(tx, caller, repo)),

    /** Renames a repository or gives it to another namespace where the caller may create. */
    async move(caller: Caller, type: RepoType, from: Omit<RepoName, 'type'>, to: Omit<RepoName, 'type'>) {
      refuse(repoNameFault(to.name), to.name);
      await changing(caller, { type, ...from }, async (tx, repo, role) => {
        const owner = await findAccount(tx, to.namespace);
        if (!owner) throw notFound(`There is no user or organization named ${to.namespace}`);
        await requireNamespace(tx, caller.principal, owner.id, type);
        if (owner.id !== repo.owner_id) await requireUngroup(tx, caller.principal, repoFacts(repo), role);
        if (owner.id === repo.owner_id && to.name === repo.name) throw conflict('The repository has this name already');
        const change = {
          owner_id: owner.id,
          name: to.name,
          name_key: nameKey(to.name),
          // A group is of one organization: what leaves that leaves the group.
          ...(owner.id !== repo.owner_id && { resource_group_id: null, resource_group_added_by: null }),
        };
        await updateRepo(tx, repo.id, change);
        const moved = { ...repo, ...change, ownerName: owner.name, ownerKind: owner.kind };
        await recordRepoEvent(events, tx, caller, moved, {
          scope: 'repo',
          action: 'move',
          before: repo,
          extra: { movedTo: { name: fullName(moved), owner: { id: owner.id } } },
        });
        await audit.moved(tx, caller, repo, moved);
      }).catch((error: unknown) => {
        throw sqlFault(error) === 'unique' ? conflict('There is a repository with this name already') : error;
      });
    },

    async updateSettings(caller: Caller, name: RepoName, settings: RepoSettings) {
      refuseProtected(name.type, settings);
      return changing(caller, name, async (tx, repo, role) => {
        if (repo.private === 1 && isPrivate(settings) === false)
          await requireUngroup(tx, caller.principal, repoFacts(repo), role);
        return presentSettings(await applySettings(tx, caller, repo, settings));
      });
    },

    async createBranch(
      caller: Caller,
      name: RepoName,
      branch: string,
      options: { startingPoint?: string | undefined; emptyBranch: boolean; overwrite: boolean },
    ) {
      refuse(refNameFault(branch), branch);
      await changing(caller, name, async (tx, repo) => {
        requireRefs(repo);
        const oldSha = await refSha(tx, repo.id, BRANCH + branch);
        if (!options.overwrite && oldSha) throw conflict(`The branch ${branch} exists already`);
        const sha = options.emptyBranch
          ? madeCommitId(ids())
          : await resolveRevision(tx, repo, options.startingPoint ?? 'main');
        await changeRef({ events, clock }, tx, caller, repo, BRANCH + branch, sha, { oldSha });
      });
    },

    async createTag(caller: Caller, name: RepoName, revision: string, tag: string) {
      refuse(refNameFault(tag), tag);
      await changing(caller, name, async (tx, repo) => {
        requireRefs(repo);
        if (await refSha(tx, repo.id, TAG + tag)) throw conflict(`The tag ${tag} exists already`);
        await changeRef({ events, clock }, tx, caller, repo, TAG + tag, await resolveRevision(tx, repo, revision));
      });
    },

    /** Deletes a branch or a tag, by its full ref. */
    deleteRef: (caller: Caller, name: RepoName, ref: string) =>
      changing(caller, name, async (tx, repo) => {
        if (ref === MAIN) throw badRequest('The branch main cannot be deleted');
        if (!(await refSha(tx, repo.id, ref))) throw notFound(`Invalid rev id: ${ref}`, 'RevisionNotFound');
        await changeRef({ events, clock }, tx, caller, repo, ref, null);
      }),
  };
}

function isPrivate(settings: RepoSettings): boolean | undefined {
  if (settings.visibility !== undefined) return settings.visibility !== 'public';
  return settings.private ?? undefined;
}

function refuseProtected(type: RepoType, settings: RepoSettings): void {
  if (settings.visibility === 'protected' && type !== 'space')
    throw badRequest('body.visibility: protected is for Spaces only');
}

function refuse(fault: string | undefined, name: string): void {
  if (fault) throw badRequest(`The name ${name} ${fault}`);
}

function requireRefs(repo: Repository): void {
  if (repo.head_sha === null) throw badRequest('Buckets have no branches and no tags');
}
