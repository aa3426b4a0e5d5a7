import { sql } from 'kysely';
import { type Executor, isPostgres } from '../platform/database/transaction.ts';
import type { Columns } from './protocol/filter-sql.ts';

/** Where a list of users reads from, and what of it is which attribute. */
export interface UserSource {
  readonly columns: Columns;
  /** The columns that a list is ordered by, and an index with it. */
  readonly createdAt: string;
  readonly id: string;
}

const WORK = sql<string>`'work'`;
const USER = sql<string>`'User'`;

/** Whom an identity provider knows: `scim_users s`, with membership `m` and invitation `i` where there is one. */
export const KNOWN: UserSource = {
  createdAt: 's.created_at',
  id: 's.user_id',
  columns: {
    id: { sql: sql.ref('s.user_id'), type: 'string' },
    userName: { sql: sql.ref('s.user_name'), type: 'string', folded: sql.ref('s.user_name_key') },
    externalId: { sql: sql.ref('s.external_id'), type: 'string' },
    'name.givenName': { sql: sql.ref('s.given_name'), type: 'string' },
    'name.familyName': { sql: sql.ref('s.family_name'), type: 'string' },
    'name.formatted': { sql: sql.ref('s.formatted'), type: 'string' },
    displayName: { sql: sql.ref('s.display_name'), type: 'string' },
    'emails.value': { sql: sql.ref('s.email'), type: 'string', folded: sql.ref('s.email_key') },
    'emails.type': { sql: sql`case when s.email is not null then ${WORK} end`, type: 'string' },
    'emails.primary': { sql: sql`case when s.email is not null then 1 end`, type: 'boolean' },
    active: { sql: sql`case when m.user_id is null and i.id is null then 0 else 1 end`, type: 'boolean' },
    'meta.created': { sql: sql.ref('s.created_at'), type: 'dateTime' },
    'meta.lastModified': { sql: sql.ref('s.updated_at'), type: 'dateTime' },
    'meta.resourceType': { sql: USER, type: 'string' },
  },
};

/** Members whom no identity provider has named yet: `memberships m` with their account `a`. */
export function outsiders(executor: Executor): UserSource {
  const blank = isPostgres(executor) ? sql<number>`strpos(a.fullname, ' ')` : sql<number>`instr(a.fullname, ' ')`;
  return {
    createdAt: 'm.created_at',
    id: 'm.user_id',
    columns: {
      id: { sql: sql.ref('m.user_id'), type: 'string' },
      userName: { sql: sql.ref('a.name'), type: 'string', folded: sql.ref('a.name_key') },
      'name.givenName': {
        sql: sql`case when ${blank} > 0 then substr(a.fullname, 1, ${blank} - 1) else a.fullname end`,
        type: 'string',
      },
      'name.familyName': {
        sql: sql`case when ${blank} > 0 then substr(a.fullname, ${blank} + 1) else '' end`,
        type: 'string',
      },
      'name.formatted': { sql: sql.ref('a.fullname'), type: 'string' },
      displayName: { sql: sql.ref('a.fullname'), type: 'string' },
      'emails.value': { sql: sql.ref('a.email'), type: 'string', folded: sql`lower(a.email)` },
      'emails.type': { sql: sql`case when a.email is not null then ${WORK} end`, type: 'string' },
      'emails.primary': { sql: sql`case when a.email is not null then 1 end`, type: 'boolean' },
      active: { sql: sql`1`, type: 'boolean' },
      'meta.created': { sql: sql.ref('m.created_at'), type: 'dateTime' },
      'meta.lastModified': { sql: sql.ref('m.created_at'), type: 'dateTime' },
      'meta.resourceType': { sql: USER, type: 'string' },
    },
  };
}
