import type { Permission } from '@moonbase/contract/route';
import { isDisabled } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Authorize, Principal } from '../platform/http/authenticate.ts';
import { forbidden } from '../platform/http/errors.ts';
import {
  bestOf,
  entitiesOf,
  grantsOn,
  mayCreate,
  mayWrite,
  type Readable,
  type Reader,
  type RepoFacts,
  type RepoRole,
  tokenCovers,
  tokenReads,
} from './policy.ts';
import { membershipRole, rolesOn } from './store.ts';
import { repoNotFound, requireReach } from './token-rules.ts';

const TOKEN_TOO_WEAK = 'Your access token does not cover this; use one with the role write, or with this permission';

/** Returns whether a caller acts as a site administrator, which needs a token with the role `write`. */
export const isSiteAdmin = ({ siteAdmin, token }: Principal): boolean => siteAdmin && token.role === 'write';

/**
 * Throws 403 if the principal lacks an authority that concerns the caller alone; authorities on objects are checked
 * with the object.
 */
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
    case 'collection.read':
    case 'collection.write':
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
 * Returns the role of a caller on a repository or a collection; undefined if it must stay hidden from the caller or the
 * token. Both cases run the same query, so that the time reveals nothing.
 */
export async function roleOf(
  executor: ReadExecutor,
  principal: Reader,
  repo: RepoFacts,
  kind?: Readable,
): Promise<RepoRole | undefined> {
  if (principal.token.cutOff?.[repo.ownerId]) return undefined;
  const reads = !repo.private || tokenReads(principal.token, entitiesOf(repo), kind);
  if (reads && repo.ownerId === principal.userId) return 'admin';
  const standing = await rolesOn(executor, repo, principal.userId);
  return reads ? bestOf(grantsOn(repo, principal.userId, standing)) : undefined;
}

/**
 * Returns the role of a user on a repository, without a token, for work that began on behalf of the user. Undefined
 * while the user is disabled. Without a user, only public repositories give a role.
 */
export async function roleOfUser(
  executor: ReadExecutor,
  userId: Reader['userId'],
  repo: RepoFacts,
): Promise<RepoRole | undefined> {
  if (userId !== undefined && (await isDisabled(executor, userId))) return undefined;
  return bestOf(grantsOn(repo, userId, await rolesOn(executor, repo, userId)));
}

/**
 * Returns the caller's role on a repository. Throws 404 if the caller may not see it, 403 if role or token do not
 * suffice.
 */
export async function requireRepo(
  executor: ReadExecutor,
  principal: Reader,
  repo: RepoFacts,
  permission: Permission,
): Promise<RepoRole> {
  requireReach(principal, repo.ownerId);
  const role = await roleOf(executor, principal, repo);
  if (!role) throw repoNotFound();
  if (permission === 'repo.write' && !mayWrite(role, repo, principal.userId))
    throw forbidden("You don't have the rights to change this repository");
  // `roleOf` has checked that the token may read the repository; public ones need no permission.
  if (permission !== 'repo.content.read') requireToken(principal, permission, repo);
  return role;
}

/** Throws 403 if a token does not cover a permission on a repository, whatever its user may do. */
export const requireToken = (principal: Reader, permission: Permission, repo: RepoFacts): void =>
  requirePermission(principal, permission, entitiesOf(repo));

/** Throws 403 if the principal's token covers a permission on none of the entities. */
export function requirePermission(principal: Reader, permission: Permission, entityIds: readonly string[]): void {
  if (!tokenCovers(principal.token, permission, entityIds)) throw forbidden(TOKEN_TOO_WEAK);
}

/** Throws 403 unless the caller may create repositories of a type under an account. */
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
