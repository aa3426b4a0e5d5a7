import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { MEMBERSHIP, type MembershipRow } from '../tables.ts';

interface UserRow {
  readonly id: string;
  readonly name: string;
  readonly fullname: string;
  /** Null (as is `base`): the user is not a member. */
  readonly role: string | null;
  readonly base: BuiltInRole | null;
}

/** Returns users with their roles in an organization, by user id; deleted accounts are missing. */
export async function usersIn(
  tx: Executor,
  orgId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UserRow>> {
  const { rows } = await sql<UserRow>`
    select a.id, a.name, a.fullname, m.role, m.base_role as base
    from accounts a left join memberships m on m.org_id = ${orgId} and m.user_id = a.id
    where ${whereIn(tx, 'a.id', userIds)}`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Adds members, or changes the roles of existing ones. */
export const setMemberships = (tx: Executor, rows: readonly MembershipRow[]): Promise<void> =>
  insertNew(
    tx,
    'memberships',
    MEMBERSHIP,
    rows,
    '(org_id, user_id) do update set role = excluded.role, base_role = excluded.base_role',
  );

export async function deleteMembership(tx: Executor, orgId: string, userId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
}

/** Marks members as managed by an identity provider. Returns when each membership began. */
export async function markProvisioned(
  tx: Executor,
  orgId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx
    .updateTable('memberships')
    .set({ in_scim: 1 })
    .where('org_id', '=', orgId)
    .where(whereIn(tx, 'user_id', userIds))
    .returning(['user_id', 'created_at'])
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.created_at]));
}

/** Updates the search text of a user in all memberships. */
export async function setSearchKey(tx: Executor, userId: string, searchKey: string): Promise<void> {
  await tx.updateTable('memberships').set({ search_key: searchKey }).where('user_id', '=', userId).execute();
}

/** Deletes at most `limit` memberships of an organization, without events. Returns the number of deleted rows. */
export async function deleteMemberships(tx: Executor, orgId: string, limit: number): Promise<number> {
  const rows = await tx
    .deleteFrom('memberships')
    .where('org_id', '=', orgId)
    .where('user_id', 'in', (of) =>
      of.selectFrom('memberships').select('user_id').where('org_id', '=', orgId).limit(limit),
    )
    .returning('user_id')
    .execute();
  return rows.length;
}
