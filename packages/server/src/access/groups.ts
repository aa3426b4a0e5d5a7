import type { Account } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { findGroupStanding, type GroupStanding } from './group-members.ts';
import { type InOrganization, requirePlan } from './organizations.ts';
import { mayCreate } from './policy.ts';
import { requirePermission } from './service.ts';
import { membershipRole } from './store.ts';

/** One message for a group that is not there, of another organization, or not to be seen. */
export const groupNotFound = () => notFound('There is no resource group with this id');

/**
 * A resource group of an organization that the caller may see, with the role needed in it: `see` any, `create` one that
 * makes repositories, `admin`. Admins of the organization may do everything in all of its groups. 404 where the caller
 * is no member of it, 403 where the role does not reach.
 */
export async function requireGroup(
  executor: Executor,
  principal: Principal,
  { organization, role }: Pick<InOrganization, 'organization'> & { readonly role: InOrganization['role'] | undefined },
  groupId: string,
  need: 'see' | 'create' | 'admin',
): Promise<GroupStanding> {
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
