import { type RawBuilder, sql } from 'kysely';
import { notDisabled } from '../../access/index.ts';
import { isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { Column, Columns } from '../protocol/filter/filter-conditions.ts';

/** A source of the user list: which fields are stored, and the column of each attribute. */
export interface UserSource {
  /** The columns of the list's order, which an index covers. */
  readonly createdAt: string;
  readonly id: string;
  readonly updatedAt: string;
  readonly kept: Readonly<Record<StoredField, RawBuilder<unknown>>>;
  readonly active: RawBuilder<number>;
  readonly columns: Columns;
}

export type StoredField =
  | 'owned'
  | 'externalId'
  | 'userName'
  | 'givenName'
  | 'familyName'
  | 'formatted'
  | 'displayName'
  | 'email'
  | 'emailType'
  | 'emailPrimary';

const NOTHING = sql`cast(null as text)`;

/** A text column that is compared without case and has no index. */
const text = (value: RawBuilder<unknown>): Column => ({
  sql: value,
  type: 'string',
  folded: sql`lower(${value})`,
  unindexed: true,
});

/** Returns the columns common to all sources; missing names are derived from the others, as in the presentation. */
function columnsOf(
  { createdAt, id, updatedAt, kept, active }: Omit<UserSource, 'columns'>,
  folded: { readonly userName: RawBuilder<unknown>; readonly email: RawBuilder<unknown> },
): Columns {
  const { givenName, familyName, userName, email } = kept;
  const joined = sql`nullif(trim(coalesce(${givenName}, '') || ' ' || coalesce(${familyName}, '')), '')`;
  const formatted = sql`coalesce(${kept.formatted}, ${joined}, ${kept.displayName}, ${userName})`;
  return {
    id: { sql: sql.ref(id), type: 'string' },
    userName: { sql: userName, type: 'string', folded: folded.userName },
    externalId: { sql: kept.externalId, type: 'string' },
    'name.givenName': text(sql`coalesce(${givenName}, ${formatted})`),
    'name.familyName': text(sql`coalesce(${familyName}, '')`),
    'name.formatted': text(formatted),
    displayName: text(sql`coalesce(${kept.displayName}, ${formatted})`),
    'emails.value': { sql: email, type: 'string', folded: folded.email },
    'emails.type': text(sql`case when ${email} is not null then 'work' end`),
    'emails.primary': {
      sql: sql`case when ${email} is not null then coalesce(${kept.emailPrimary}, 1) end`,
      type: 'boolean',
    },
    active: { sql: active, type: 'boolean' },
    'meta.created': { sql: sql.ref(createdAt), type: 'dateTime' },
    'meta.lastModified': { sql: sql.ref(updatedAt), type: 'dateTime' },
    'meta.resourceType': { sql: sql`'User'`, type: 'string' },
  };
}

/** Whether the user is a member of the organization or invited to it. */
export const IS_MEMBER_OR_INVITED = sql<number>`case when m.user_id is null and i.id is null then 0 else 1 end`;

const known: Omit<UserSource, 'columns'> = {
  createdAt: 's.created_at',
  id: 's.user_id',
  updatedAt: 's.updated_at',
  kept: {
    owned: sql`s.owned`,
    externalId: sql`s.external_id`,
    userName: sql`s.user_name`,
    givenName: sql`s.given_name`,
    familyName: sql`s.family_name`,
    formatted: sql`s.formatted`,
    displayName: sql`s.display_name`,
    email: sql`s.email`,
    emailType: sql`s.email_type`,
    emailPrimary: sql`s.email_primary`,
  },
  // An account that the organization owns is active only if it is also enabled, whoever disabled it.
  active: sql<number>`case when s.owned = 1 and not ${notDisabled(sql.ref('s.user_id'))} then 0 else ${IS_MEMBER_OR_INVITED} end`,
};

/** Users known to the identity provider: `scim_users s`, with membership `m` and invitation `i` if present. */
export const KNOWN: UserSource = {
  ...known,
  columns: columnsOf(known, { userName: sql`s.user_name_key`, email: sql`s.email_key` }),
};

/** Members unknown to the identity provider: `memberships m` with their account `a`. */
export function unprovisionedMembers(executor: ReadExecutor): UserSource {
  const blank = sql`${sql.raw(isPostgres(executor) ? 'strpos' : 'instr')}(a.fullname, ' ')`;
  const source: Omit<UserSource, 'columns'> = {
    createdAt: 'm.created_at',
    id: 'm.user_id',
    updatedAt: 'm.created_at',
    kept: {
      owned: sql`cast(null as integer)`,
      externalId: NOTHING,
      userName: sql`a.name`,
      givenName: sql`case when ${blank} > 0 then substr(a.fullname, 1, ${blank} - 1) else a.fullname end`,
      familyName: sql`case when ${blank} > 0 then substr(a.fullname, ${blank} + 1) end`,
      formatted: sql`a.fullname`,
      displayName: sql`a.fullname`,
      email: sql`a.email`,
      emailType: NOTHING,
      emailPrimary: sql`cast(null as integer)`,
    },
    active: sql<number>`1`,
  };
  return { ...source, columns: columnsOf(source, { userName: sql`a.name_key`, email: sql`lower(a.email)` }) };
}
