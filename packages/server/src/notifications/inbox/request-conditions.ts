import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { handlesRequests } from '../../repositories/index.ts';

/**
 * Returns the condition that a notification is not one of requests for access to a repository about which its user no longer
 * decides; `table` is that of the notification.
 */
export const concernsUser = (table: string, ownerId: string): RawBuilder<SqlBool> => {
  const column = (name: string) => sql.ref<string>(`${table}.${name}`);
  const isOfRequests = sql<SqlBool>`${column('thread_id')} = ${column('source_id')}`;
  return sql<SqlBool>`(not (${isOfRequests}) or ${handlesRequests(sql.ref(ownerId), column('user_id'))})`;
};
