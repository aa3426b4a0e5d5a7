import type { Account } from '../../accounts/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { forbidden, notFound } from '../../platform/http/errors.ts';
import { type InOrganization, requirePlan } from '../organizations.ts';
import { entitiesOf, mayCreate, mayWrite, type RepoFacts, type RepoRole } from '../policy.ts';
import { requirePermission } from '../service.ts';
import { membershipRole } from '../store.ts';
import { requireReach } from '../token-rules.ts';
import { findGroupStanding, type GroupStanding } from './group-members.ts';

/** One message for a group that is not there, of another organization, or not to be seen. */
export const groupNotFound = () => notFound('There is no resource group with this id');

/**
 * A resource group of an organization that the caller may see, with the role needed in it: `see` any, `create` one that
 * makes repositories, `admin`. Admins of the organization may do everything in all of its groups. 404 where the caller
 * is no member of it, 403 where the role does not reach.
 */
export async function requireGroup(
  executor: ReadExecutor,
  principal: Principal,
  { organization, role }: Pick<InOrganization, 'organization'> & { readonly role: InOrganization['role'] | undefined },
  groupId: string,
  need: 'see' | 'create' | 'admin',
): Promise<GroupStanding> {
  requireReach(principal, organization.id);
  const group = await findGroupStanding(executor, organization.id, groupId.toLowerCase(), principal.userId);
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
 * 403 unless the caller may take a repository from the group that it is in, or, in no group, may change it: who may change
 * it and is admin of its group. Admins of the organization may.
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
  const standing = groupId === null ? undefined : await findGroupStanding(executor, repo.ownerId, groupId, userId);
  if (!mayWrite(role, repo, userId) || (groupId !== null && standing?.role !== 'admin')) throw forbidden(denial);
}

/**
 * 403 unless the caller may take a repository out of its resource group, where it is in one: for what does so, or opens
 * it as widely, by another name.
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

/** What creating a repository in a resource group needs, instead of what it needs outside of one. */
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
