import type { ResourceGroup } from '@moonbase/contract/organizations/resource-groups';
import type { z } from 'zod';
import { groupNotFound, lockOrganization, requireGroup, requirePlan } from '../access/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import type { Ids } from '../platform/ids.ts';
import { presentGroups } from './present.ts';
import { findGroup, type Group } from './store.ts';

export interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly audit: AuditLog;
}

/** A group in its wire form. */
export type PresentedGroup = z.input<typeof ResourceGroup>;

/** The requirement for changes. */
export const WRITE_REQUIREMENT = { role: 'member', permission: 'resourceGroup.write' } as const;

/** Returns a group that the caller administers; locks its organization. */
export async function lockGroup(tx: Executor, caller: Caller, organization: string, groupId: string): Promise<Group> {
  const within = await lockOrganization(tx, caller.principal, organization, WRITE_REQUIREMENT);
  const { id } = await requireGroup(tx, caller.principal, within, groupId, 'admin');
  requirePlan(within.organization, 'enterprise');
  return requireGroupById(tx, id);
}

export async function requireGroupById(executor: ReadExecutor, id: string): Promise<Group> {
  const group = await findGroup(executor, id);
  if (!group) throw groupNotFound();
  return group;
}

export async function presentOne(executor: ReadExecutor, caller: Caller, id: string): Promise<PresentedGroup> {
  const [presented] = await presentGroups(executor, caller, [await requireGroupById(executor, id)]);
  if (!presented) throw groupNotFound();
  return presented;
}

/** Runs a change of a group by one of its admins, and returns the changed group. */
export const changeGroup = (
  { database }: Pick<Dependencies, 'database'>,
  caller: Caller,
  organization: string,
  groupId: string,
  change: (tx: Executor, group: Group) => Promise<void>,
): Promise<PresentedGroup> =>
  database.transaction(async (tx) => {
    const group = await lockGroup(tx, caller, organization, groupId);
    await change(tx, group);
    return presentOne(tx, caller, group.id);
  });
