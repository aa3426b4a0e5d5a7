import { BuiltInRole } from '@moonbase/contract/primitives';
import { isAtLeast, type NamedRole } from '../../access/index.ts';
import type { GroupChange } from '../../resource-groups/index.ts';

/** The roles of a member in an organization, including changes by SCIM. */
export interface MemberRoles {
  readonly userId: string;
  readonly role: string;
  readonly base: BuiltInRole;
  /** The role before a group gave one. Null: no group has given one. */
  readonly ownRole: string | null;
  /** The base of the own role, if it is a custom role. */
  readonly ownBase: BuiltInRole | null;
  readonly givenRole: string | null;
}

/** The best role that groups give a user. */
export type WantedRole = NamedRole & { readonly userName: string };

/** A stored role that groups gave. */
export interface GivenRole {
  readonly userId: string;
  readonly ownRole: string;
  readonly givenRole: string;
}

/** The changes that give members the roles of their groups. */
export interface RoleChanges {
  readonly roles: readonly { readonly userId: string; readonly role: string }[];
  readonly given: readonly GivenRole[];
  /** Members to whom no group gives a better role any more. */
  readonly ownAgain: readonly string[];
  /** Members who lose the role admin in the organization. */
  readonly demoted: readonly string[];
}

/**
 * Returns the role that a member would have without groups; the present role, if somebody changed it after a group gave
 * one.
 */
export function ownRoleOf({ role, base, ownRole, ownBase, givenRole }: MemberRoles): NamedRole {
  if (ownRole === null || givenRole !== role) return { name: role, base };
  const builtIn = BuiltInRole.safeParse(ownRole);
  if (builtIn.success) return { name: ownRole, base: builtIn.data };
  return ownBase === null ? { name: 'read', base: 'read' } : { name: ownRole, base: ownBase };
}

/**
 * Returns the changes of roles. Groups never reduce rights: a member has the better of the own role and the best role
 * of the groups.
 */
export function roleChanges(members: readonly MemberRoles[], wanted: ReadonlyMap<string, NamedRole>): RoleChanges {
  const each = members.map((member) => {
    const own = ownRoleOf(member);
    const given = wanted.get(member.userId);
    const better = given && !isAtLeast(own.base, given.base) ? given : undefined;
    return { ...member, own, better, target: better ?? own };
  });
  return {
    roles: each.flatMap(({ userId, role, target }) => (target.name === role ? [] : [{ userId, role: target.name }])),
    given: each.flatMap(({ userId, own, better, ownRole, givenRole }) =>
      better && (ownRole !== own.name || givenRole !== better.name)
        ? [{ userId, ownRole: own.name, givenRole: better.name }]
        : [],
    ),
    ownAgain: each.flatMap(({ userId, better, ownRole }) => (better || ownRole === null ? [] : [userId])),
    demoted: each.flatMap(({ userId, base, target }) => (base === 'admin' && target.base !== 'admin' ? [userId] : [])),
  };
}

/** Returns the changes without those of some members. */
export function withoutMembers({ roles, given, ownAgain, demoted }: RoleChanges, left: readonly string[]): RoleChanges {
  const isLeft = new Set(left);
  const others = <T extends { readonly userId: string }>(items: readonly T[]) =>
    items.filter(({ userId }) => !isLeft.has(userId));
  return {
    roles: others(roles),
    given: others(given),
    ownAgain: ownAgain.filter((userId) => !isLeft.has(userId)),
    demoted: demoted.filter((userId) => !isLeft.has(userId)),
  };
}

/** A member of a resource group. */
export interface GroupMember {
  readonly userId: string;
  readonly name: string;
  readonly role: string;
}

/** Returns the changes that make the members of a resource group exactly those to whom groups give a role there. */
export function groupChange(standing: readonly GroupMember[], wanted: ReadonlyMap<string, WantedRole>): GroupChange {
  const there = new Set(standing.map(({ userId }) => userId));
  return {
    add: [...wanted].flatMap(([id, role]) => (there.has(id) ? [] : [{ id, name: role.userName, role }])),
    change: standing.flatMap(({ userId: id, name, role: before }) => {
      const role = wanted.get(id);
      return role && role.name !== before ? [{ id, name, role, before }] : [];
    }),
    remove: standing.flatMap(({ userId: id, name }) => (wanted.has(id) ? [] : [{ id, name }])),
  };
}
