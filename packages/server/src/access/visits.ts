import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Account } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { findOrganization } from './organizations.ts';
import { type Reader, tokenCovers } from './policy.ts';
import { membershipRole, membershipsOf } from './store.ts';
import { requireReach } from './token-rules.ts';

/**
 * Returns an organization for any caller, with the caller's role if the token may read the organization as a member.
 */
export async function findVisibleOrganization(
  executor: ReadExecutor,
  { userId, token }: Reader,
  name: string,
): Promise<{ readonly organization: Account; readonly role: BuiltInRole | undefined }> {
  const organization = await findOrganization(executor, name);
  requireReach({ token }, organization.id);
  const role = userId === undefined ? undefined : await membershipRole(executor, organization.id, userId);
  return { organization, role: tokenCovers(token, 'org.read', [organization.id]) ? role : undefined };
}

/** Returns the organizations of the caller that the token may read as a member. */
export async function membershipsSeenBy(executor: ReadExecutor, { userId, token }: Reader) {
  if (userId === undefined) return [];
  const memberships = await membershipsOf(executor, userId);
  return memberships.filter(({ id }) => !token.cutOff?.[id] && tokenCovers(token, 'org.read', [id]));
}
