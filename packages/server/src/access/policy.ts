import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import type { Principal } from '../platform/http/authenticate.ts';

/** The properties of a repository that decide access. */
export interface RepoFacts {
  readonly id: string;
  readonly ownerId: string;
  readonly private: boolean;
  readonly createdBy: string | null;
  /** The resource group of the repository. */
  readonly groupId: string | null;
}

export type RepoRole = 'admin' | 'write' | 'contributor' | 'read';

/**
 * A reading user, with the properties of the token that limit reading. A `write` token without `cutOff` limits nothing.
 * Without a user it is a request without credentials (`ANONYMOUS`), which has no grant but that of public repositories.
 */
export interface Reader {
  readonly userId: string | undefined;
  readonly token: Pick<Principal['token'], 'role' | 'fineGrained' | 'cutOff'>;
}

/** The built-in roles of a user in the organization that owns a repository and in the repository's group. */
export interface RolesOnRepo {
  readonly membership: BuiltInRole | undefined;
  readonly group: BuiltInRole | undefined;
}

/** A reason why a user has a role on a repository. */
export interface Grant {
  readonly source: 'owner' | 'organization' | 'group' | 'public';
  readonly role: RepoRole;
}

/** Returns whether a role gives access to private repositories; `no_access` and absent roles do not. */
export const hasAccess = (role: BuiltInRole | null | undefined): role is RepoRole =>
  role !== null && role !== undefined && role !== 'no_access';

/** Returns whether two roles let a member see the same parts of an organization. */
export const haveSameView = (role: BuiltInRole | null, other: BuiltInRole | null): boolean =>
  hasAccess(role) === hasAccess(other) && (role === 'admin') === (other === 'admin');

const RANK = ['no_access', 'read', 'contributor', 'write', 'admin'] as const satisfies readonly BuiltInRole[];

/** Returns whether a role includes another: read < contributor < write < admin (W§6.1). */
export const isAtLeast = (role: BuiltInRole, least: BuiltInRole): boolean => RANK.indexOf(role) >= RANK.indexOf(least);

/**
 * The rule of access (W§6.1, §6.3): returns all grants of a user on a repository. A private repository in a resource
 * group is restricted to members of the group and admins of the organization; roles of other members do not count. If
 * several grants apply, the best one decides. `readable` is the same rule in SQL.
 */
export function grantsOn(repo: RepoFacts, userId: Reader['userId'], { membership, group }: RolesOnRepo): Grant[] {
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

/** Returns the best role among grants; undefined if there is none, so that the repository must stay hidden. */
export const bestOf = (grants: readonly Grant[]): RepoRole | undefined =>
  grants.reduce<RepoRole | undefined>(
    (best, { role }) => (best === undefined || isAtLeast(role, best) ? role : best),
    undefined,
  );

/** Returns whether a role may change a repository; contributors may change only those that they created. */
export const mayWrite = (role: RepoRole, repo: RepoFacts, userId: Reader['userId']): boolean =>
  role === 'admin' || role === 'write' || (role === 'contributor' && repo.createdBy === userId);

/** Returns whether a role in an organization may create repositories there. */
export const mayCreate = (role: BuiltInRole | undefined): boolean =>
  role === 'admin' || role === 'write' || role === 'contributor';

/** Permissions that imply another: `write` implies `read` of the same kind. */
const impliedBy: Partial<Record<string, readonly string[]>> = {
  'collection.read': ['collection.write'],
  'user.webhooks.read': ['user.webhooks.write'],
  'user.settings.read': ['user.settings.write'],
  'user.notifications.read': ['user.notifications.write'],
  'org.read': ['org.write'],
  'job.read': ['job.write'],
  'resourceGroup.read': ['resourceGroup.write', 'org.read', 'org.write'],
};

/**
 * Returns whether a token covers a permission on any of the entities: an object itself, its group or its owner. A
 * `read` token covers permissions that end with `.read`, a `write` token everything that its user may do.
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

/** What has roles and is in resource groups, and what tokens reach by permissions of its own. */
export type Readable = 'repository' | 'collection';

const READING_WORDS: Readonly<Record<Readable, readonly string[]>> = {
  repository: ['repo.content.read', 'repo.write'],
  collection: ['collection.read', 'collection.write'],
};

/**
 * Returns the ids of entities (repositories, collections, accounts, resource groups) whose private repositories or
 * collections a fine-grained token may read. Undefined if the token does not limit reading.
 */
export function readingScope(token: Reader['token'], kind: Readable = 'repository'): string[] | undefined {
  if (token.role !== 'fineGrained') return undefined;
  return (token.fineGrained?.scoped ?? []).flatMap(({ entity, permissions }) =>
    permissions.some((word) => READING_WORDS[kind].includes(word)) ? [entity._id] : [],
  );
}

/** Returns the entities whose permissions cover a repository: itself, its group and its owner. */
export const entitiesOf = ({ id, ownerId, groupId }: Pick<RepoFacts, 'id' | 'ownerId' | 'groupId'>): string[] =>
  groupId === null ? [id, ownerId] : [id, ownerId, groupId];

/** Returns whether a token lets its user read a private object, given the entities that cover it. */
export function tokenReads(token: Reader['token'], entityIds: readonly string[], kind?: Readable): boolean {
  const scope = readingScope(token, kind);
  return scope === undefined || scope.some((id) => entityIds.includes(id));
}

/**
 * Returns whether a token lets its user read the files of a gated repository, given the entities that cover it: any token
 * that is not fine-grained, one that reads the repository if it is private, or one for gated repositories.
 */
export const tokenReadsGated = (token: Reader['token'], entityIds: readonly string[]): boolean =>
  token.fineGrained?.canReadGatedRepos === true || tokenReads(token, entityIds);

/**
 * Returns whether a caller may have this hub read what is public, gated or private at another hub. A stranger gets what is
 * public, where strangers get anything. A fine-grained token is for what it names: beyond that it reads gated repositories
 * if it may, so also public ones, but nothing private.
 */
export function readsElsewhere({ userId, token }: Reader, what: 'public' | 'gated' | 'private'): boolean {
  if (userId === undefined) return what === 'public';
  return token.role !== 'fineGrained' || (token.fineGrained?.canReadGatedRepos === true && what !== 'private');
}

/** Returns whether a token reaches less than its user: then access must be checked for each source of content. */
export const isLimited = ({ token }: Reader): boolean =>
  token.cutOff !== undefined || readingScope(token) !== undefined;
