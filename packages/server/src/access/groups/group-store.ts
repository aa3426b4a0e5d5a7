import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import type { ResourceGroupRow } from '../tables.ts';

export type ResourceGroup = Omit<ResourceGroupRow, 'name_key'>;

const keyOf = (name: string): string => name.trim().normalize('NFC').toLowerCase();

/** Returns whether another group of the organization has this name, ignoring case. The organization must be locked. */
export async function isNameTaken(tx: Executor, { org_id, id }: Pick<ResourceGroup, 'org_id' | 'id'>, name: string) {
  const other = await tx
    .selectFrom('resource_groups')
    .select('id')
    .where('org_id', '=', org_id)
    .where('name_key', '=', keyOf(name))
    .where('id', '<>', id)
    .executeTakeFirst();
  return other !== undefined;
}

export async function insertGroup(tx: Executor, group: ResourceGroup): Promise<void> {
  await tx
    .insertInto('resource_groups')
    .values({ ...group, name_key: keyOf(group.name) })
    .execute();
}

export async function updateGroup(tx: Executor, id: string, change: Partial<ResourceGroup>): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const key = change.name === undefined ? {} : { name_key: keyOf(change.name) };
  await tx
    .updateTable('resource_groups')
    .set({ ...change, ...key })
    .where('id', '=', id)
    .execute();
}

export async function deleteGroup(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('resource_groups').where('id', '=', id).execute();
}

/** Locks the groups of an organization until the end of the transaction, in a fixed order. */
export const lockGroups = (tx: Executor, orgId: string): Promise<Pick<ResourceGroup, 'id' | 'name' | 'managed_by'>[]> =>
  tx
    .selectFrom('resource_groups')
    .select(['id', 'name', 'managed_by'])
    .where('org_id', '=', orgId)
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'resource_groups'))
    .execute();
