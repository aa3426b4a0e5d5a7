import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { BuiltInRole } from '@moonbase/contract/primitives';
import { lastAdminConflict, UNKNOWN_ROLE } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import { type Check, checkNewAccount } from './check-account.ts';
import { type HubState, type KnownRole, pairKey } from './hub-state.ts';
import { itemsOf } from './items.ts';

type HubOrganization = HubDocument['organizations'][number];

export function checkOrganizations(check: Check, { organizations }: HubDocument): void {
  for (const { item, path } of itemsOf('organizations', organizations).present) {
    const existing = check.state.accounts.get(nameKey(item.name));
    if (existing && existing.kind !== 'org') check.fault(`${path}.name`, 'is the name of a user');
    else {
      const organization = existing ?? checkNewAccount(check, 'org', item.name, path);
      if (organization) checkMembers(check, organization.id, item, `${path}.members`);
    }
  }
}

function checkMembers(check: Check, orgId: string, item: HubOrganization, path: string): void {
  const { state, principal, fault } = check;
  const known = state.organizations.get(orgId) ?? { name: item.name, admins: new Map<string, boolean>() };
  state.organizations.set(orgId, known);
  const { admins } = known;
  const before = [...admins.keys()];
  for (const [at, member] of item.members.entries()) checkMember(check, orgId, admins, member, `${path}.${at}`);
  if (admins.size > 0) {
    if (before.some((id) => !admins.has(id)) && ![...admins.values()].includes(true)) throw lastAdminConflict();
    return;
  }
  // The creator of an organization is its admin, unless the document says otherwise.
  const named = item.members.some(({ user }) => nameKey(user) === nameKey(principal.userName));
  if (before.length > 0 || named) fault(path, 'would leave the organization without an admin');
  else admins.set(principal.userId, true);
}

function checkMember(
  { state, fault }: Check,
  orgId: string,
  admins: Map<string, boolean>,
  item: HubOrganization['members'][number],
  path: string,
): void {
  const user = state.accounts.get(nameKey(item.user));
  if (user?.kind !== 'user') {
    if (item.state !== 'absent') fault(`${path}.user`, `there is no user named ${item.user}`);
    return;
  }
  const key = pairKey(orgId, user.id);
  if (item.state === 'absent') {
    state.roles.delete(key);
    admins.delete(user.id);
    return;
  }
  const role = roleNamed(state, orgId, item.role ?? state.roles.get(key)?.name ?? 'read');
  if (!role) {
    fault(`${path}.role`, UNKNOWN_ROLE);
    return;
  }
  state.roles.set(key, role);
  if (role.base === 'admin') admins.set(user.id, user.enabled);
  else admins.delete(user.id);
}

function roleNamed(state: HubState, orgId: string, name: string): KnownRole | undefined {
  const builtIn = BuiltInRole.safeParse(name);
  return builtIn.success ? { name, base: builtIn.data } : state.customRoles.get(pairKey(orgId, nameKey(name)));
}

/**
 * Checks removals. Organizations are removed before users, so that an organization can be removed together with its
 * only admin.
 */
export function checkRemovals({ state, principal, fault }: Check, { organizations, users }: HubDocument): void {
  for (const { item } of itemsOf('organizations', organizations).absent) {
    const organization = state.accounts.get(nameKey(item.name));
    if (organization?.kind === 'org') state.organizations.delete(organization.id);
  }
  for (const { item, path } of itemsOf('users', users).absent) {
    const user = state.accounts.get(nameKey(item.name));
    if (user?.kind !== 'user') continue;
    const left = [...state.organizations.values()].filter(({ admins }) => isOnlyAdmin(admins, user.id));
    const [sole] = left.sort((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1));
    if (user.id === principal.userId) fault(path, 'you cannot remove yourself');
    else if (sole) fault(path, `is the only admin of ${sole.name}`);
    else for (const { admins } of state.organizations.values()) admins.delete(user.id);
  }
}

const isOnlyAdmin = (admins: ReadonlyMap<string, boolean>, userId: string): boolean =>
  admins.has(userId) && ![...admins].some(([id, enabled]) => enabled && id !== userId);
