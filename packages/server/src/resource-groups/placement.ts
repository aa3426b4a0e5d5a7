import type { RepoId } from '@moonbase/contract/primitives';
import type { z } from 'zod';
import { groupTopic, type InOrganization, missingRepo, repoNotFound, requireRegroup, roleOf } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import { fullName, lockRepo, type Repository, repoFacts, updateRepo } from '../repositories/index.ts';
import type { Group } from './store.ts';

type Within = Pick<InOrganization, 'organization'> & { readonly role: InOrganization['role'] | undefined };
type NamedRepo = z.output<typeof RepoId>;

interface Dependencies {
  readonly events: Events;
  readonly audit: AuditLog;
}

/**
 * Returns the repositories named in the body of a new group, locked. Throws 400 for one of another namespace, 404 for
 * one that the caller may not see, 403 for one that the caller may not move.
 */
export async function reposForGroup(
  tx: Executor,
  caller: Caller,
  within: Within,
  named: readonly NamedRepo[],
): Promise<Repository[]> {
  const namespace = nameKey(within.organization.name);
  const wanted = new Map<string, NamedRepo & { namespace: string }>();
  for (const [at, { type, name }] of named.entries()) {
    const [owner = '', ownName = '', rest] = name.split('/');
    if (nameKey(owner) !== namespace || ownName === '' || rest !== undefined) {
      const issue = { path: `body.repos.${at}.name`, message: 'must be a repository of the organization' };
      throw badRequest(`${issue.path}: ${issue.message}`, [issue]);
    }
    wanted.set(`${type} ${nameKey(ownName)}`, { type, namespace: owner, name: ownName });
  }
  const found: Repository[] = [];
  // Locks are taken in a fixed order, whatever the order of names.
  for (const [, name] of [...wanted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const repo = await lockRepo(tx, name);
    if (!repo) throw await missingRepo(tx, caller.principal, namespace);
    const role = await roleOf(tx, caller.principal, repoFacts(repo));
    if (!role) throw repoNotFound();
    await requireRegroup(tx, caller.principal, repoFacts(repo), role);
    found.push(repo);
  }
  return found;
}

/** Moves locked repositories into a group, or out of their groups; events announce the loss of access to users. */
export function createPlacement({ events, audit }: Dependencies) {
  return async function moveRepos(
    tx: Executor,
    caller: Caller,
    repos: readonly Repository[],
    group: Pick<Group, 'id' | 'org_id' | 'name'> | undefined,
  ): Promise<void> {
    const actorId = caller.principal.userId;
    const moved = repos.filter((repo) => repo.resource_group_id !== (group?.id ?? null));
    for (const repo of moved) {
      const change = { resource_group_id: group?.id ?? null, resource_group_added_by: group ? actorId : null };
      await updateRepo(tx, repo.id, change);
      const where = group ? `into the resource group ${group.name}` : 'out of its resource group';
      await audit.record(tx, caller, {
        orgId: repo.owner_id,
        type: 'repo.update_resource_group',
        message: `Moved the ${repo.type} ${fullName(repo)} ${where}`,
        data: {
          repo: { id: repo.id, type: repo.type, name: fullName(repo) },
          before: repo.resource_group_id,
          after: group?.id ?? null,
        },
      });
    }
    for (const [groupId, left] of byGroup(group, moved)) {
      const action = group ? 'add_repos' : 'remove_repos';
      const orgId = left[0]?.owner_id ?? '';
      await events.record(tx, groupTopic, { action, groupId, orgId, repoIds: left.map(({ id }) => id), actorId });
    }
  };
}

/**
 * Groups moved repositories by the group that the event concerns: the new one or, if there is none, the previous one.
 */
function byGroup(group: Pick<Group, 'id'> | undefined, moved: readonly Repository[]): Map<string, Repository[]> {
  const groups = new Map<string, Repository[]>();
  for (const repo of moved) {
    const id = group?.id ?? repo.resource_group_id ?? '';
    groups.set(id, [...(groups.get(id) ?? []), repo]);
  }
  return groups;
}
