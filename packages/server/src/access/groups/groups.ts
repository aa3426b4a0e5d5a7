import type { Account } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import { type InOrganization, requirePlan } from '../organizations.ts';
import { entitiesOf, mayCreate, mayWrite, type RepoFacts, type RepoRole } from '../policy.ts';
import { requirePermission } from '../service.ts';
import { membershipRole } from '../store.ts';
import { requireReach } from '../token-rules.ts';
import { findGroupWithRole, type GroupWithRole } from './member-store.ts';

/** The single error for groups that do not exist, belong to another organization, or are hidden. */
export const groupNotFound = () => notFound('There is no resource group with this id');

/**
 * Returns a resource group that the caller may see, with the required rights: `see`, `create` repositories, or `admin`.
 * Admins of the organization have all rights in its groups. Throws 404 if the caller is not a member of the group, 403
 * if the role does not suffice.
 */
export async function requireGroup(
  executor: ReadExecutor,
  principal: Principal,
  { organization, role }: Pick<InOrganization, 'organization'> & { readonly role: InOrganization['role'] | undefined },
  groupId: string,
  need: 'see' | 'create' | 'admin',
): Promise<GroupWithRole> {
  requireReach(principal, organization.id);
  const group = await findGroupWithRole(executor, organization.id, groupId.toLowerCase(), principal.userId);
  if (!group || (role !== 'admin' && group.role === undefined)) throw groupNotFound();
  if (role === 'admin' || need === 'see') return group;
  const enough = need === 'create' ? mayCreate(group.role) : group.role === 'admin';
  if (!enough)
    throw forbidden(
      need === 'create'
        ? "You don't have the rights to create a repository in this resource group"
        : 'You need the role admin in this resource group, or in the organization',
    );
  return group;
}

/**
 * Throws 403 unless the caller may change a repository's group: this needs the right to change the repository and, if
 * it is in a group, the role admin there. Admins of the organization may always do so.
 */
export async function requireRegroup(
  executor: Executor,
  { userId }: Principal,
  repo: RepoFacts,
  role: RepoRole,
  denial = "You don't have the rights to move this repository between resource groups",
): Promise<void> {
  if ((await membershipRole(executor, repo.ownerId, userId)) === 'admin') return;
  const { groupId } = repo;
  const standing = groupId === null ? undefined : await findGroupWithRole(executor, repo.ownerId, groupId, userId);
  if (!mayWrite(role, repo, userId) || (groupId !== null && standing?.role !== 'admin')) throw forbidden(denial);
}

/**
 * Throws 403 unless the caller may take a repository out of its group, if it has one. Required for all operations that
 * have this effect, such as making the repository public.
 */
export async function requireUngroup(
  executor: Executor,
  principal: Principal,
  repo: RepoFacts,
  role: RepoRole,
): Promise<void> {
  if (repo.groupId === null) return;
  await requireRegroup(executor, principal, repo, role, GUARDED);
  requirePermission(principal, 'resourceGroup.write', entitiesOf(repo));
}

const GUARDED =
  'This repository is in a resource group: to take it out of the organization, or to make it public, you need the role admin in that group or in the organization';

/** Checks the rights to create a repository in a resource group, in place of `requireNamespace`. */
export async function requireNamespaceInGroup(
  executor: Executor,
  principal: Principal,
  owner: Account,
  groupId: string,
): Promise<void> {
  const role = await membershipRole(executor, owner.id, principal.userId);
  const { id } = await requireGroup(executor, principal, { organization: owner, role }, groupId, 'create');
  requirePermission(principal, 'repo.write', [owner.id, id]);
  requirePlan(owner, 'enterprise');
}
