import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import type { Principal } from '../platform/http/authenticate.ts';

/** What a repository is to the rules of access. */
export interface RepoFacts {
  readonly id: string;
  readonly ownerId: string;
  readonly private: boolean;
  readonly createdBy: string | null;
  /** The resource group that it is in. */
  readonly groupId: string | null;
}

export type RepoRole = 'admin' | 'write' | 'contributor' | 'read';

/** Who reads, with what of a token decides how much: all that its user may, where it is `write` and nothing cuts it off. */
export interface Reader {
  readonly userId: string;
  readonly token: Pick<Principal['token'], 'role' | 'fineGrained' | 'cutOff'>;
}

/** The built-in roles that a user has, where any: in the organization that owns a repository, and in its group. */
export interface Standing {
  readonly membership: BuiltInRole | undefined;
  readonly group: BuiltInRole | undefined;
}

/** One reason why a user may do something with a repository. */
export interface Grant {
  readonly source: 'owner' | 'organization' | 'group' | 'public';
  readonly role: RepoRole;
}

/** Whether a role opens what is private; no role, `no_access` and null do not. */
export const hasAccess = (role: BuiltInRole | null | undefined): role is RepoRole =>
  role !== null && role !== undefined && role !== 'no_access';

const RANK = ['no_access', 'read', 'contributor', 'write', 'admin'] as const satisfies readonly BuiltInRole[];

/** Whether a role is as much as another: read < contributor < write < admin (W§6.1). */
export const isAtLeast = (role: BuiltInRole, least: BuiltInRole): boolean => RANK.indexOf(role) >= RANK.indexOf(least);

/**
 * The rule of access (W§6.1, §6.3): everything that a user's role on a repository follows from. A private repository
 * in a resource group is for the members of that group and the admins of the organization: the role of another member
 * of the organization does not count there. Where both roles count, the better one decides. Its twin in SQL is
 * `readable`.
 */
export function grantsOn(repo: RepoFacts, userId: string, { membership, group }: Standing): Grant[] {
  if (repo.ownerId === userId) return [{ source: 'owner', role: 'admin' }];
  const inGroup = repo.groupId !== null && hasAccess(group);
  const closed = repo.private && repo.groupId !== null;
  const grants: Grant[] = [];
  if (hasAccess(membership) && (membership === 'admin' || inGroup || !closed))
    grants.push({ source: 'organization', role: membership });
  if (inGroup) grants.push({ source: 'group', role: group });
  if (!repo.private) grants.push({ source: 'public', role: 'read' });
  return grants;
}

/** The best role among grants, or undefined where there is none: then the repository must stay unseen. */
export const bestOf = (grants: readonly Grant[]): RepoRole | undefined =>
  grants.reduce<RepoRole | undefined>(
    (best, { role }) => (best === undefined || isAtLeast(role, best) ? role : best),
    undefined,
  );

/** Whether a role may change a repository: contributors only what they created. */
export const mayWrite = (role: RepoRole, repo: RepoFacts, userId: string): boolean =>
  role === 'admin' || role === 'write' || (role === 'contributor' && repo.createdBy === userId);

/** Whether a role in an organization may create repositories there. */
export const mayCreate = (role: BuiltInRole | undefined): boolean =>
  role === 'admin' || role === 'write' || role === 'contributor';

/** The words that a permission comes with: `write` implies `read` of the same kind. */
const impliedBy: Partial<Record<string, readonly string[]>> = {
  'user.webhooks.read': ['user.webhooks.write'],
  'user.settings.read': ['user.settings.write'],
  'user.notifications.read': ['user.notifications.write'],
  'org.read': ['org.write'],
  'job.read': ['job.write'],
  'resourceGroup.read': ['resourceGroup.write', 'org.read', 'org.write'],
};

/**
 * Whether a token covers a permission on any of the given entities: a thing itself, or the account that owns it.
 * A `read` token covers what ends in `.read`, a `write` token everything its user may do.
 */
export function tokenCovers(token: Reader['token'], permission: Permission, entityIds: readonly string[]): boolean {
  if (token.role === 'write') return true;
  if (token.role === 'read') return permission.endsWith('.read');
  const words = [permission, ...(impliedBy[permission] ?? [])];
  const granted = (permissions: readonly string[] | undefined) => words.some((word) => permissions?.includes(word));
  return (
    granted(token.fineGrained?.global) ||
    (token.fineGrained?.scoped ?? []).some(
      ({ entity, permissions }) => entityIds.includes(entity._id) && granted(permissions),
    )
  );
}

/**
 * The private things that a fine-grained token lets its user read: repositories, or accounts and resource groups with
 * all that is in them.
 * Undefined where the token does not limit reading.
 */
export function readingScope(token: Reader['token']): string[] | undefined {
  if (token.role !== 'fineGrained') return undefined;
  return (token.fineGrained?.scoped ?? []).flatMap(({ entity, permissions }) =>
    permissions.some((word) => word === 'repo.content.read' || word === 'repo.write') ? [entity._id] : [],
  );
}

/** The things whose permissions cover a repository: itself, its group and its owner. */
export const entitiesOf = ({ id, ownerId, groupId }: Pick<RepoFacts, 'id' | 'ownerId' | 'groupId'>): string[] =>
  groupId === null ? [id, ownerId] : [id, ownerId, groupId];

/** Whether a token lets its user read a private thing, given by the things whose permissions cover it. */
export function tokenReads(token: Reader['token'], entityIds: readonly string[]): boolean {
  const scope = readingScope(token);
  return scope === undefined || scope.some((id) => entityIds.includes(id));
}

/** Whether a token reaches less than its user does: then each thing that content comes from has to be asked about. */
export const isLimited = ({ token }: Reader): boolean =>
  token.cutOff !== undefined || readingScope(token) !== undefined;
