import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Returns the condition that a user is told of requests for access to a repository: its owner, or an admin of the organization. */
export const handlesRequests = (ownerId: RawBuilder<string>, userId: RawBuilder<string>): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${ownerId} = ${userId} or exists (
    select 1 from memberships m where m.org_id = ${ownerId} and m.user_id = ${userId} and m.base_role = 'admin'
  ))`;
