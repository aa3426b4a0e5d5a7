import { sql } from 'kysely';
import type { RoleKeeper } from '../../access/index.ts';

/** The places in which SCIM stores roles: links, members' roles before a link, and roles taken with a membership. */
export const provisionedRoleKeeper: RoleKeeper = {
  async rename(tx, orgId, before, name) {
    await tx
      .updateTable('scim_links')
      .set({ role: name })
      .where('org_id', '=', orgId)
      .where('role', '=', before)
      .execute();
    for (const column of ['own_role', 'given_role'] as const)
      await tx
        .updateTable('scim_roles')
        .set({ [column]: name })
        .where('org_id', '=', orgId)
        .where(column, '=', before)
        .execute();
    // Role names need no escaping in JSON.
    await sql`
      update scim_users set taken = replace(taken, ${`"role":"${before}"`}, ${`"role":"${name}"`})
      where org_id = ${orgId} and taken is not null`.execute(tx);
  },
  async keeps(tx, orgId, name) {
    const { rows } = await sql`
      select 1 from scim_links where org_id = ${orgId} and role = ${name}
      union all
      select 1 from scim_roles where org_id = ${orgId} and own_role = ${name}
      limit 1`.execute(tx);
    return rows.length > 0;
  },
};
