import type { BuiltInRole } from '@moonbase/contract/primitives';
import { baseRole } from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { badRequest } from '../platform/http/errors.ts';

/** The built-in role that a role of an organization stands on; 400 for a name that is none there. */
export async function requireRole(tx: Executor, orgId: string, role: string, path: string): Promise<BuiltInRole> {
  const base = await baseRole(tx, orgId, role);
  if (!base) throw fault(path, 'is no role of this organization');
  return base;
}

/** The same in a resource group, where `no_access` is no role. */
export async function requireGroupRole(tx: Executor, orgId: string, role: string, path: string): Promise<BuiltInRole> {
  const base = await requireRole(tx, orgId, role, path);
  if (base === 'no_access') throw fault(path, 'is no role in a resource group');
  return base;
}

export function fault(path: string, message: string) {
  return badRequest(`${path}: ${message}`, [{ path, message }]);
}
