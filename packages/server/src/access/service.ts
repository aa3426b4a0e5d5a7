import type { Permission } from '@moonbase/contract/route';
import { isDisabled } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Authorize, Principal } from '../platform/http/authenticate.ts';
import { forbidden, repoNotFound } from '../platform/http/errors.ts';
import {
  bestOf,
  entitiesOf,
  grantsOn,
  mayCreate,
  mayWrite,
  type RepoFacts,
  type RepoRole,
  tokenCovers,
  tokenReads,
} from './policy.ts';
import { membershipRole, standingOn } from './store.ts';
import { requireReach } from './token-rules.ts';

const TOKEN_TOO_WEAK = 'Your access token does not cover this; use one with the role write, or with this permission';

/** Whether a caller acts as a site administrator: with a token that may do everything that its user may. */
export const isSiteAdmin = ({ siteAdmin, token }: Principal): boolean => siteAdmin && token.role === 'write';

/** 403 where a route's authority concerns the caller alone; what concerns a thing is judged with that thing. */
export const authorize: Authorize = (principal, authority) => {
  switch (authority) {
    case 'public':
    case 'signed-in':
    case 'org.read':
    case 'org.write':
    case 'resourceGroup.read':
    case 'resourceGroup.write':
    case 'repo.content.read':
    case 'repo.write':
    case 'discussion.write':
    case 'job.read':
    case 'job.write':
      return;
    case 'site-admin':
    case 'site-admin.read':
      if (!principal.siteAdmin) throw forbidden('Only site administrators may do this');
      if (isSiteAdmin(principal)) return;
      if (principal.token.role === 'read' && authority === 'site-admin.read') return;
      throw forbidden(TOKEN_TOO_WEAK);
    case 'user.webhooks.read':
    case 'user.webhooks.write':
    case 'user.notifications.read':
    case 'user.notifications.write':
    case 'user.settings.read':
    case 'user.settings.write':
      return requirePermission(principal, authority, [principal.userId]);
  }
};

/**
 * The role of a caller on a repository, or undefined where it must stay unseen to this caller and token: after the same
 * question in either case, so that nobody learns from the time.
 */
export async function roleOf(
  executor: ReadExecutor,
  principal: Principal,
  repo: RepoFacts,
): Promise<RepoRole | undefined> {
  if (principal.token.cutOff?.[repo.ownerId]) return undefined;
  const reads = !repo.private || tokenReads(principal.token, entitiesOf(repo));
  if (reads && repo.ownerId === principal.userId) return 'admin';
  const standing = await standingOn(executor, repo, principal.userId);
  return reads ? bestOf(grantsOn(repo, principal.userId, standing)) : undefined;
}

/**
 * The role of a user on a repository where nobody asks, and so no token: in what was begun for that user. None while the
 * user is disabled.
 */
export async function roleOfUser(
  executor: ReadExecutor,
  userId: string,
  repo: RepoFacts,
): Promise<RepoRole | undefined> {
  if (await isDisabled(executor, userId)) return undefined;
  return bestOf(grantsOn(repo, userId, await standingOn(executor, repo, userId)));
}

/** 403 where role or token do not reach, 404 where the caller may not see the repository. Returns the role. */
export async function requireRepo(
  executor: ReadExecutor,
  principal: Principal,
  repo: RepoFacts,
  permission: Permission,
): Promise<RepoRole> {
  requireReach(principal, repo.ownerId);
  const role = await roleOf(executor, principal, repo);
  if (!role) throw repoNotFound();
  if (permission === 'repo.write' && !mayWrite(role, repo, principal.userId))
    throw forbidden("You don't have the rights to change this repository");
  // Whether the token reads it has been judged with the role: what is public needs no permission.
  if (permission !== 'repo.content.read') requireToken(principal, permission, repo);
  return role;
}

/** 403 where a token does not cover a permission on a repository, whatever its user may do. */
export const requireToken = (principal: Principal, permission: Permission, repo: RepoFacts): void =>
  requirePermission(principal, permission, entitiesOf(repo));

/** The same on any of the given things: one by itself, or the account that owns it. */
export function requirePermission(principal: Principal, permission: Permission, entityIds: readonly string[]): void {
  if (!tokenCovers(principal.token, permission, entityIds)) throw forbidden(TOKEN_TOO_WEAK);
}

/** 403 unless the caller may create repositories of this type under the account. */
export async function requireNamespace(
  executor: Executor,
  principal: Principal,
  ownerId: string,
  repoType: string,
): Promise<void> {
  requireReach(principal, ownerId);
  const allowed = ownerId === principal.userId || mayCreate(await membershipRole(executor, ownerId, principal.userId));
  if (!allowed) throw forbidden(`You don't have the rights to create a ${repoType} under this namespace`);
  if (!tokenCovers(principal.token, 'repo.write', [ownerId])) throw forbidden(TOKEN_TOO_WEAK);
}
