import { sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';

interface RejoiningUser {
  readonly userId: string;
  readonly name: string;
  /** JSON: the user's role and groups when SCIM ended the membership. */
  readonly taken: string | null;
  /** Whether SCIM manages the user: 1 or 0. */
  readonly users: number;
  readonly groups: number;
  readonly roles: number;
}

/** Returns what is stored about former members, with a single query, because it runs whenever users join. */
export async function findFormerMembers(
  tx: Executor,
  orgId: string,
  userIds: readonly string[],
): Promise<RejoiningUser[]> {
  const { rows } = await sql<RejoiningUser>`
    select * from (
      select a.id as "userId", a.name,
        (select count(*) from scim_users s where s.org_id = ${orgId} and s.user_id = a.id) as users,
        (select taken from scim_users s where s.org_id = ${orgId} and s.user_id = a.id) as taken,
        (select count(*) from scim_group_members gm join scim_groups g on g.id = gm.group_id
          where gm.user_id = a.id and g.org_id = ${orgId} and g.deleted_at is null) as groups,
        (select count(*) from scim_roles r where r.org_id = ${orgId} and r.user_id = a.id) as roles
      from ${unnest(tx, userIds)} as joined join accounts a on a.id = joined.value
    ) as known where users > 0 or groups > 0 or roles > 0`.execute(tx);
  return rows;
}
