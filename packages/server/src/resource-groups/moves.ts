import {
  entitiesOf,
  findGroupWithRole,
  membershipRole,
  type Readable,
  type RepoFacts,
  type RepoRole,
  requireGroup,
  requirePermission,
  requirePlan,
  requireRegroup,
} from '../access/index.ts';
import { type Account, findAccountById } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import { requireGroupById } from './change-group.ts';
import { countUsers } from './store.ts';

/** A locked repository or collection, with the caller's role on it. */
interface Movable {
  readonly facts: RepoFacts;
  readonly role: RepoRole;
  readonly kind: Readable;
}

/**
 * Throws 404 for a group that the caller may not see, 403 unless the caller may move something of an owner into it, or out
 * of its group, 402 for the plan.
 */
export async function requireMove(
  tx: Executor,
  principal: Principal,
  owner: Account,
  { facts, role, kind }: Movable,
  groupId: string | null,
): Promise<void> {
  const within = { organization: owner, role: await membershipRole(tx, owner.id, principal.userId) };
  if (groupId !== null) await requireGroup(tx, principal, within, groupId, 'admin');
  await requireRegroup(tx, principal, facts, role, kind);
  requirePermission(principal, 'resourceGroup.write', entitiesOf(facts));
  if (owner.kind === 'org') requirePlan(owner, 'enterprise');
}

/** Returns the group of what the caller may read. Throws 404 if there is none, or none that the caller may see. */
export async function presentGroupOf(read: ReadExecutor, principal: Principal, facts: RepoFacts, kind: Readable) {
  const { ownerId } = facts;
  const groupId = facts.groupId ?? '';
  const role = await membershipRole(read, ownerId, principal.userId);
  const standing = await findGroupWithRole(read, ownerId, groupId, principal.userId);
  if (!standing || (role !== 'admin' && standing.role === undefined))
    throw notFound(`This ${kind} is in no resource group that you may see`);
  requirePermission(principal, 'resourceGroup.read', entitiesOf(facts));
  const owner = await findAccountById(read, ownerId);
  if (owner) requirePlan(owner, 'enterprise');
  const { id, name } = await requireGroupById(read, groupId);
  return { id, name, numUsers: await countUsers(read, id) };
}
