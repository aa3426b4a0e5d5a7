import { sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';

/** Deletes at most `limit` rows of an organization's SCIM users and roles. Returns the number of deleted rows. */
export async function deleteScimRows(tx: Executor, orgId: string, limit: number): Promise<number> {
  for (const table of ['scim_users', 'scim_roles'] as const) {
    const rows = await tx
      .deleteFrom(table)
      .where('org_id', '=', orgId)
      .where('user_id', 'in', (of) => of.selectFrom(table).select('user_id').where('org_id', '=', orgId).limit(limit))
      .returning('user_id')
      .execute();
    if (rows.length > 0) return rows.length;
  }
  const { rows } = await sql`
    delete from scim_group_members where (group_id, user_id) in (
      select member.group_id, member.user_id from scim_group_members member
      join scim_groups g on g.id = member.group_id where g.org_id = ${orgId} limit ${limit}
    ) returning user_id`.execute(tx);
  return rows.length;
}
