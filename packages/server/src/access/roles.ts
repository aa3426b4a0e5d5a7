import { BuiltInRole, ROLES } from '@moonbase/contract/primitives';
import { nameKey } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { badRequest } from '../platform/http/errors.ts';
import { findCustomRole } from './custom-role-store.ts';
import type { NamedRole } from './store.ts';

const isBuiltIn = (name: string): name is BuiltInRole => BuiltInRole.safeParse(name).success;

/** Returns a role of an organization by name: built-in or custom. */
export async function findRole(executor: Executor, orgId: string, name: string): Promise<NamedRole | undefined> {
  if (isBuiltIn(name)) return { name, base: name };
  const custom = await findCustomRole(executor, orgId, name);
  return custom && { name: custom.name, base: custom.base };
}

export const UNKNOWN_ROLE = `must be one of ${ROLES.join(', ')} or a custom role of the organization`;

/**
 * Like `findRole`, but throws 400 for an unknown role; the error names `path`, the location of the name in the request
 * body.
 */
export async function requireRole(executor: Executor, orgId: string, name: string, path: string): Promise<NamedRole> {
  const role = await findRole(executor, orgId, name);
  if (role) return role;
  throw badRequest(`body.${path}: ${UNKNOWN_ROLE}`, [{ path: `body.${path}`, message: UNKNOWN_ROLE }]);
}

/** Like `requireRole`, but refuses `no_access`, which is not a role in resource groups. */
export async function requireGroupRole(
  executor: Executor,
  orgId: string,
  name: string,
  path: string,
): Promise<NamedRole> {
  const role = await requireRole(executor, orgId, name, path);
  if (role.base !== 'no_access') return role;
  const message = 'must give access: no_access is not a role in a resource group';
  throw badRequest(`body.${path}: ${message}`, [{ path: `body.${path}`, message }]);
}

/** Returns what is wrong with the name of a custom role; undefined if it is valid. */
export function customRoleNameFault(name: string): string | undefined {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,62}[A-Za-z0-9])?$/.test(name))
    return 'must be 1 to 64 letters, digits, blanks, - and _, with a letter or digit at both ends';
  if (isBuiltIn(nameKey(name)) || RESERVED.has(nameKey(name))) return 'is reserved';
  return undefined;
}

/** Names that could be mistaken for built-in roles. */
const RESERVED = new Set(['owner', 'none', 'public', 'no-access', 'no access']);
