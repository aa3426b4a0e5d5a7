import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Account } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { findOrganization } from './organizations.ts';
import { tokenCovers } from './policy.ts';
import { membershipRole, membershipsOf } from './store.ts';
import { requireReach } from './token-rules.ts';

/** An organization for anybody: with the caller's role, as far as the token lets the caller read it as a member. */
export async function visitOrganization(
  executor: ReadExecutor,
  principal: Principal,
  name: string,
): Promise<{ readonly organization: Account; readonly role: BuiltInRole | undefined }> {
  const organization = await findOrganization(executor, name);
  requireReach(principal, organization.id);
  const role = await membershipRole(executor, organization.id, principal.userId);
  return { organization, role: tokenCovers(principal.token, 'org.read', [organization.id]) ? role : undefined };
}

/** The organizations of the caller, of those that the token lets the caller read as a member. */
export async function membershipsSeenBy(executor: ReadExecutor, { userId, token }: Principal) {
  const memberships = await membershipsOf(executor, userId);
  return memberships.filter(({ id }) => !token.cutOff?.[id] && tokenCovers(token, 'org.read', [id]));
}
