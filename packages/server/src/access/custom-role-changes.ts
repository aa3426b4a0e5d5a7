import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Executor } from '../platform/database/transaction.ts';
import { type Events, unfinishedEvents } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, conflict } from '../platform/http/errors.ts';
import { findCustomRole, hasHolders, renameRole, setBase } from './custom-role-store.ts';
import { roleTopic } from './events.ts';
import { requireAnAdmin } from './memberships/memberships.ts';
import { customRoleNameFault } from './roles.ts';
import type { CustomRoleRow } from './tables.ts';

/** A slice to the right of this one that stores roles by name. */
export interface RoleKeeper {
  readonly rename: (tx: Executor, orgId: string, before: string, name: string) => Promise<void>;
  /** Returns whether the slice stores a custom role, which then may not be deleted. */
  readonly keeps: (tx: Executor, orgId: string, name: string) => Promise<boolean>;
}

export interface RoleChangeDependencies {
  readonly events: Events;
  readonly keepers: readonly RoleKeeper[];
  /** Called when a role gets another base role. */
  readonly onRoleRebased?: (tx: Executor, caller: Caller, orgId: string) => Promise<void>;
}

/** Throws 400 for an invalid role name, 409 for one that another role than `by` has. */
export async function requireFree(tx: Executor, orgId: string, name: string, by?: CustomRoleRow): Promise<void> {
  const fault = customRoleNameFault(name);
  if (fault) throw badRequest(`body.name: ${fault}`, [{ path: 'body.name', message: fault }]);
  const taken = await findCustomRole(tx, orgId, name);
  if (taken && taken.name !== by?.name) throw conflict(`A custom role named ${name} already exists`);
}

/** Changes that affect all holders of a custom role. The organization must be locked. */
export function createRoleChanges({ events, keepers, onRoleRebased }: RoleChangeDependencies) {
  async function rename(tx: Executor, before: CustomRoleRow, role: CustomRoleRow): Promise<void> {
    const { org_id: orgId, name } = before;
    await requireFree(tx, orgId, role.name, before);
    // Pending reactions to a new base role look up the holders by the role's name.
    const announced = await unfinishedEvents(tx, roleTopic);
    if (announced.some((event) => event.orgId === orgId && event.name === name))
      throw conflict(`What the custom role ${name} stands on has just changed; try again`);
    await renameRole(tx, orgId, name, role);
    for (const keeper of keepers) await keeper.rename(tx, orgId, name, role.name);
  }

  async function isInUse(tx: Executor, orgId: string, name: string): Promise<boolean> {
    if (await hasHolders(tx, orgId, name)) return true;
    for (const keeper of keepers) if (await keeper.keeps(tx, orgId, name)) return true;
    return false;
  }

  /** Gives a role another base role. A reaction announces the change to each holder. */
  async function changeBase(
    tx: Executor,
    caller: Caller,
    { org_id: orgId, name, base: before }: CustomRoleRow,
    base: BuiltInRole,
  ) {
    await setBase(tx, orgId, name, base);
    if (before === 'admin') requireAnAdmin(tx, orgId);
    await events.record(tx, roleTopic, { orgId, name, base, before, actorId: caller.principal.userId });
    await onRoleRebased?.(tx, caller, orgId);
  }

  return { rename, isInUse, changeBase };
}
