import {
  filterMembers,
  findMembersAmong,
  type GroupWithRole,
  type ResourceGroupUserRow,
  requireGroupRole,
} from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { badRequest, forbidden, type Issue } from '../platform/http/errors.ts';
import { usersByKeys } from './store.ts';

/** A user as named in a request body. */
export type NamedUser = { readonly role: string } & ({ readonly user: string } | { readonly name: string });

const nameOf = (item: NamedUser): string => ('user' in item ? item.user : item.name);

/** The part of a group membership row that differs between users. */
export type NewMember = Pick<ResourceGroupUserRow, 'user_id' | 'role' | 'base_role'> & { readonly name: string };

/**
 * Resolves the users named in a body, with their roles in the group. Throws 400 for unknown users and roles, and for
 * duplicates; 403 for users who are not in the organization or already in the group (W§6.3).
 */
export async function resolveUsers(
  tx: Executor,
  { id: groupId, orgId }: Pick<GroupWithRole, 'id' | 'orgId'>,
  users: readonly NamedUser[],
): Promise<NewMember[]> {
  if (users.length === 0) return [];
  const keys = users.map((item) => nameKey(nameOf(item)));
  const known = new Map((await usersByKeys(tx, [...new Set(keys)])).map((user) => [user.name_key, user]));
  const issues: Issue[] = [];
  const members: NewMember[] = [];
  const roles = new Map<string, Awaited<ReturnType<typeof requireGroupRole>>>();
  for (const [at, item] of users.entries()) {
    const role = roles.get(item.role) ?? (await requireGroupRole(tx, orgId, item.role, `users.${at}.role`));
    roles.set(item.role, role);
    const user = known.get(keys[at] ?? '');
    const path = `body.users.${at}.${'user' in item ? 'user' : 'name'}`;
    if (!user) issues.push({ path, message: `there is no user named ${nameOf(item)}` });
    else if (keys.indexOf(user.name_key) < at) issues.push({ path, message: `${user.name} is named twice` });
    else members.push({ user_id: user.id, name: user.name, role: role.name, base_role: role.base });
  }
  const [first] = issues;
  if (first) throw badRequest(`${first.path}: ${first.message}`, issues);
  const ids = members.map((member) => member.user_id);
  const belonging = await findMembersAmong(tx, orgId, ids);
  const outside = members.find((member) => !belonging.has(member.user_id));
  if (outside) throw forbidden(`${outside.name} is not in the organization`);
  const inGroup = await filterMembers(tx, groupId, ids);
  const already = members.find((member) => inGroup.has(member.user_id));
  if (already) throw forbidden(`${already.name} is already in this resource group`);
  return members;
}

/** Returns the rows of new members of a group, added by hand. */
export const memberRows = (
  members: readonly NewMember[],
  common: Pick<ResourceGroupUserRow, 'group_id' | 'added_by' | 'created_at'>,
): ResourceGroupUserRow[] =>
  members.map(({ user_id, role, base_role }) => ({ ...common, user_id, role, base_role, by_sign_in: 0 }));
