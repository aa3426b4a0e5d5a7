import { type Account, nameKey } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { changedProperties } from '../platform/typed-objects.ts';
import { createRepoAudit } from './audit.ts';
import { recordRepoEvent } from './events.ts';
import { NEW_SIGNATURE } from './lists/tag-signature.ts';
import { deleteOldName, putOldName } from './moved-store.ts';
import { insertContent, type NewContent } from './refs/new-content.ts';
import { authorOf, initialCommit, type RootCommit } from './refs/root-commits.ts';
import { deleteRepo, fullName, insertRepo, ownedBy, type RepoName, type Repository, updateRepo } from './store.ts';
import type { RepositoryRow } from './tables.ts';

export interface RepoSettings {
  readonly private?: boolean | null | undefined;
  readonly visibility?: 'private' | 'public' | 'protected' | undefined;
  readonly discussionsDisabled?: boolean | undefined;
  readonly gated?: false | 'auto' | 'manual' | undefined;
  readonly orgMembersGated?: boolean | undefined;
  readonly gatedNotificationsEmail?: string | null | undefined;
  readonly gatedNotificationsMode?: 'bulk' | 'real-time' | undefined;
}

/** A repository whose content is written before its row. */
interface PrewrittenRepo {
  readonly id: string;
  readonly createdAt: number;
  readonly content: NewContent;
}

const contentOf = (root: RootCommit): NewContent => ({ head: root.sha, roots: [root] });

interface NewLocation {
  readonly owner: Pick<Account, 'id' | 'name' | 'kind' | 'storage_quota'>;
  readonly name: string;
}

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
}

/** The changes to repositories, each with its event and its audit record; callers check access. */
export function createRepoChanges({ clock, ids, events, audit: auditLog }: Dependencies) {
  const audit = createRepoAudit(auditLog);

  async function insert(
    tx: Executor,
    caller: Caller,
    name: RepoName & { ownerId: string } & Pick<Repository, 'ownerName' | 'ownerKind' | 'ownerQuota'>,
    settings: {
      private: boolean;
      sdk?: string | undefined;
      groupId?: string | undefined;
      gated?: RepoSettings['gated'];
    },
    prewritten?: PrewrittenRepo,
  ): Promise<Repository> {
    const { id, createdAt } = prewritten ?? { id: ids(), createdAt: clock.now() };
    const author = authorOf(caller.principal.userName, caller.hubUrl, createdAt);
    const content =
      name.type === 'bucket' ? undefined : (prewritten?.content ?? contentOf(initialCommit(name.type, author)));
    const row: RepositoryRow = {
      id,
      type: name.type,
      owner_id: name.ownerId,
      name: name.name,
      name_key: nameKey(name.name),
      private: settings.private ? 1 : 0,
      created_by: caller.principal.userId,
      created_at: createdAt,
      last_modified: createdAt,
      resource_group_id: settings.groupId ?? null,
      resource_group_added_by: settings.groupId ? caller.principal.userId : null,
      head_sha: content?.head ?? null,
      sdk: settings.sdk ?? null,
      ...{ gated: settings.gated || null, gate_for_members: 0, gate_email: null, gate_mails: 'real-time' },
      discussions_disabled: 0,
      discussion_count: 0,
      mirrored: 0,
      downloads: 0,
      likes: 0,
      trending_score: 0,
      tag_signature: NEW_SIGNATURE,
    };
    await insertRepo(tx, row);
    await deleteOldName(tx, { type: name.type, namespace: name.ownerName, name: name.name });
    if (content) await insertContent(tx, id, content);
    const { ownerName, ownerKind, ownerQuota } = name;
    const repo = { ...row, ownerName, ownerKind, ownerQuota };
    await recordRepoEvent(events, tx, caller, repo, { scope: 'repo', action: 'create' });
    await content?.onInsert?.(tx, repo);
    await audit.created(tx, caller, repo, content?.copyOf);
    return repo;
  }

  /** Applies settings that differ and records one `repo.config`, whose `updatedConfig` shows only `private` (W§3.1). */
  async function applySettings(tx: Executor, caller: Caller, repo: Repository, settings: RepoSettings) {
    const wanted: Partial<RepositoryRow> = {
      ...(isPrivate(settings) !== undefined && { private: isPrivate(settings) ? 1 : 0 }),
      ...(settings.discussionsDisabled !== undefined && { discussions_disabled: settings.discussionsDisabled ? 1 : 0 }),
      ...gateOf(settings),
    };
    const change = changedProperties<RepositoryRow>(repo, wanted);
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
    await deleteRepo(tx, repo.id, clock.now());
    await recordRepoEvent(events, tx, caller, repo, { scope: 'repo', action: 'delete' });
    await audit.deleted(tx, caller, repo);
  }

  /** Changes the name or the owner of a repository, or both. */
  async function move(tx: Executor, caller: Caller, repo: Repository, { owner, name }: NewLocation): Promise<void> {
    const change = {
      owner_id: owner.id,
      name,
      name_key: nameKey(name),
      // A resource group belongs to one organization, so a change of owner ends the membership.
      ...(owner.id !== repo.owner_id && { resource_group_id: null, resource_group_added_by: null }),
    };
    await updateRepo(tx, repo.id, change);
    await deleteOldName(tx, { type: repo.type, namespace: owner.name, name });
    if (fullName(repo).toLowerCase() !== `${owner.name}/${name}`.toLowerCase())
      await putOldName(tx, repo.id, { type: repo.type, namespace: repo.ownerName, name: repo.name });
    const moved = { ...repo, ...change, ...ownedBy(owner) };
    await recordRepoEvent(events, tx, caller, moved, {
      scope: 'repo',
      action: 'move',
      before: repo,
      extra: { movedTo: { name: fullName(moved), owner: { id: owner.id } } },
    });
    await audit.moved(tx, caller, repo, moved);
  }

  return { insert, applySettings, remove, move };
}

/** Returns the columns of the settings about gating that a request names. */
const gateOf = (settings: RepoSettings): Partial<RepositoryRow> => ({
  ...(settings.gated !== undefined && { gated: settings.gated === false ? null : settings.gated }),
  ...(settings.orgMembersGated !== undefined && { gate_for_members: settings.orgMembersGated ? 1 : 0 }),
  ...(settings.gatedNotificationsEmail !== undefined && { gate_email: settings.gatedNotificationsEmail || null }),
  ...(settings.gatedNotificationsMode !== undefined && { gate_mails: settings.gatedNotificationsMode }),
});

export function isPrivate(settings: RepoSettings): boolean | undefined {
  if (settings.visibility !== undefined) return settings.visibility !== 'public';
  return settings.private ?? undefined;
}
