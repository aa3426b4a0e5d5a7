import type { Account } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import { type InOrganization, requirePlan } from '../organizations.ts';
import { entitiesOf, isAtLeast, mayWrite, type Readable, type RepoFacts, type RepoRole } from '../policy.ts';
import { requirePermission } from '../service.ts';
import { membershipRole } from '../store.ts';
import { requireReach } from '../token-rules.ts';
import { findGroupWithRole, type GroupWithRole } from './member-store.ts';

/** The single error for groups that do not exist, belong to another organization, or are hidden. */
export const groupNotFound = () => notFound('There is no resource group with this id');

/** The least role in a group for each right, and what a caller with a lower one is told. */
const NEEDS = {
  create: ['contributor', "You don't have the rights to create a repository in this resource group"],
  write: ['write', "You don't have the rights to create a collection in this resource group"],
  admin: ['admin', 'You need the role admin in this resource group, or in the organization'],
} as const;

/**
 * Returns a resource group that the caller may see, with the required rights: `see`, `create` repositories, `write`
 * collections, or `admin`. Admins of the organization have all rights in its groups. Throws 404 if the caller is not a
 * member of the group, 403 if the role does not suffice.
 */
export async function requireGroup(
  executor: ReadExecutor,
  principal: Principal,
  { organization, role }: Pick<InOrganization, 'organization'> & { readonly role: InOrganization['role'] | undefined },
  groupId: string,
  need: 'see' | keyof typeof NEEDS,
): Promise<GroupWithRole> {
  requireReach(principal, organization.id);
  const group = await findGroupWithRole(executor, organization.id, groupId.toLowerCase(), principal.userId);
  if (!group || (role !== 'admin' && group.role === undefined)) throw groupNotFound();
  if (role === 'admin' || need === 'see') return group;
  const [least, denial] = NEEDS[need];
  if (group.role === undefined || !isAtLeast(group.role, least)) throw forbidden(denial);
  return group;
}

const MOVING: Readonly<Record<Readable, string>> = {
  repository: "You don't have the rights to move this repository between resource groups",
  collection: "You don't have the rights to move this collection between resource groups",
};

const GUARDED: Readonly<Record<Readable, string>> = {
  repository:
    'This repository is in a resource group: to take it out of the organization, or to make it public, you need the role admin in that group or in the organization',
  collection:
    'This collection is in a resource group: to make it public, you need the role admin in that group or in the organization',
};

/**
 * Throws 403 unless the caller may change the group of a repository or a collection: this needs the right to change it
 * and, if it is in a group, the role admin there. Admins of the organization may always do so.
 */
export async function requireRegroup(
  executor: Executor,
  { userId }: Principal,
  repo: RepoFacts,
  role: RepoRole,
  kind: Readable = 'repository',
  denials = MOVING,
): Promise<void> {
  if ((await membershipRole(executor, repo.ownerId, userId)) === 'admin') return;
  const { groupId } = repo;
  const standing = groupId === null ? undefined : await findGroupWithRole(executor, repo.ownerId, groupId, userId);
  if (!mayWrite(role, repo, userId) || (groupId !== null && standing?.role !== 'admin')) throw forbidden(denials[kind]);
}

/**
 * Throws 403 unless the caller may take a repository, or a collection, out of its group, if it has one. Required for all
 * operations that have this effect, such as making it public.
 */
export async function requireUngroup(
  executor: Executor,
  principal: Principal,
  repo: RepoFacts,
  role: RepoRole,
  kind: Readable = 'repository',
): Promise<void> {
  if (repo.groupId === null) return;
  await requireRegroup(executor, principal, repo, role, kind, GUARDED);
  requirePermission(principal, 'resourceGroup.write', entitiesOf(repo));
}

const CREATING = {
  repository: { need: 'create', permission: 'repo.write' },
  collection: { need: 'write', permission: 'collection.write' },
} as const;

/** Checks the rights to create a repository, or a collection, in a resource group of its future owner. */
export async function requireNamespaceInGroup(
  executor: Executor,
  principal: Principal,
  owner: Account,
  groupId: string,
  kind: Readable = 'repository',
): Promise<void> {
  const { need, permission } = CREATING[kind];
  const role = await membershipRole(executor, owner.id, principal.userId);
  const { id } = await requireGroup(executor, principal, { organization: owner, role }, groupId, need);
  requirePermission(principal, permission, [owner.id, id]);
  requirePlan(owner, 'enterprise');
}
