import { type Account, findAccount } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { hasAccess, mayCreate, type RepoRole, tokenCovers } from './policy.ts';
import { requirePermission } from './service.ts';
import { currentRole } from './store.ts';
import { requireReach } from './token-rules.ts';

/** The account whose jobs a caller may see, and the caller's role there. */
export interface JobNamespace {
  readonly account: Account;
  readonly role: RepoRole;
}

/**
 * Returns the role of a user for the jobs of an account: admin for the user's own, or the user's role in the
 * organization.
 */
export async function jobRole(executor: ReadExecutor, userId: string, ownerId: string): Promise<RepoRole | undefined> {
  if (ownerId === userId) return 'admin';
  const role = await currentRole(executor, ownerId, userId);
  return hasAccess(role) ? role : undefined;
}

/** Returns whether a token, which an organization may refuse, covers the jobs of an account. */
export const tokenReachesJobs = ({ token }: Principal, ownerId: string, need: 'read' | 'write'): boolean =>
  token.cutOff?.[ownerId] === undefined && tokenCovers(token, `job.${need}`, [ownerId]);

/** Throws 404 if the account does not exist, 403 if the caller's role or token does not cover its jobs. */
export async function requireJobNamespace(
  executor: ReadExecutor,
  principal: Principal,
  name: string,
  need: 'read' | 'write',
): Promise<JobNamespace> {
  const account = await findAccount(executor, name);
  if (!account) throw notFound(`There is no user or organization named ${name}`);
  requireReach(principal, account.id);
  const role = await jobRole(executor, principal.userId, account.id);
  if (!role) throw forbidden(`You don't have the rights to see the jobs of ${account.name}`);
  if (need === 'write' && !mayCreate(role))
    throw forbidden(`You don't have the rights to run jobs under this namespace`);
  requirePermission(principal, `job.${need}`, [account.id]);
  return { account, role };
}
