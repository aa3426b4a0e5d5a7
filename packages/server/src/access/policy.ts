import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import type { Principal } from '../platform/http/authenticate.ts';

/** What a repository is to the rules of access. */
export interface RepoFacts {
  readonly id: string;
  readonly ownerId: string;
  readonly private: boolean;
  readonly createdBy: string | null;
}

export type RepoRole = 'admin' | 'write' | 'contributor' | 'read';

/** Whether a role in an organization opens what is private there; no role, `no_access` and null do not. */
export const hasAccess = (role: BuiltInRole | null | undefined): role is RepoRole =>
  role !== null && role !== undefined && role !== 'no_access';

/**
 * The role of a user on a repository, or undefined where it must stay unseen (W§6.1).
 * `membership` is the user's role in the owning organization, if any.
 */
export function repoRole(repo: RepoFacts, userId: string, membership: BuiltInRole | undefined): RepoRole | undefined {
  if (repo.ownerId === userId) return 'admin';
  if (hasAccess(membership)) return membership;
  return repo.private ? undefined : 'read';
}

/** Whether a role may change a repository: contributors only what they created. */
export const mayWrite = (role: RepoRole, repo: RepoFacts, userId: string): boolean =>
  role === 'admin' || role === 'write' || (role === 'contributor' && repo.createdBy === userId);

/** Whether a role in an organization may create repositories there. */
export const mayCreate = (role: BuiltInRole | undefined): boolean =>
  role === 'admin' || role === 'write' || role === 'contributor';

/** `write` implies `read` of the same kind, `repo.write` also reading content. */
const implied: Partial<Record<string, string>> = {
  'user.webhooks.read': 'user.webhooks.write',
  'user.settings.read': 'user.settings.write',
  'org.read': 'org.write',
};

/**
 * Whether a token covers a permission on any of the given entities: a thing itself, or the account that owns it.
 * A `read` token covers what ends in `.read`, a `write` token everything its user may do.
 */
export function tokenCovers(token: Principal['token'], permission: Permission, entityIds: readonly string[]): boolean {
  if (token.role === 'write') return true;
  if (token.role === 'read') return permission.endsWith('.read');
  const words = [permission, implied[permission]];
  const granted = (permissions: readonly string[] | undefined) =>
    words.some((word) => word && permissions?.includes(word));
  return (
    granted(token.fineGrained?.global) ||
    (token.fineGrained?.scoped ?? []).some(
      ({ entity, permissions }) => entityIds.includes(entity._id) && granted(permissions),
    )
  );
}

/**
 * The private things that a fine-grained token lets its user read: repositories, or accounts with all that they own.
 * Undefined where the token does not limit reading.
 */
export function readingScope(token: Principal['token']): string[] | undefined {
  if (token.role !== 'fineGrained') return undefined;
  return (token.fineGrained?.scoped ?? []).flatMap(({ entity, permissions }) =>
    permissions.some((word) => word === 'repo.content.read' || word === 'repo.write') ? [entity._id] : [],
  );
}

/** Whether a token lets its user read a private thing, given by its own id and its owner's. */
export function tokenReads(token: Principal['token'], entityIds: readonly string[]): boolean {
  const scope = readingScope(token);
  return scope === undefined || scope.some((id) => entityIds.includes(id));
}
