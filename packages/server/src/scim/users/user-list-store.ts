import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Filter } from '../protocol/filter/filter.ts';
import { filterCondition } from '../protocol/filter/filter-conditions.ts';
import type { UserRecord } from '../protocol/resources/output.ts';
import { KNOWN, type UserSource, unprovisionedMembers } from './column-conditions.ts';

/** A stored user of an organization. */
export interface UserRow extends Omit<UserRecord, 'active' | 'emailPrimary'> {
  /** Whether this organization's SCIM created the account; null: no identity provider has named the user. */
  readonly owned: number | null;
  readonly active: number;
  readonly emailPrimary: number | null;
}

/** The position of a user in the list. */
export type Place = Pick<UserRow, 'createdAt' | 'id'>;

interface Part {
  readonly source: UserSource;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<SqlBool>;
  /** The source reduced to what counting needs, without columns for filters and pages. */
  readonly bare: RawBuilder<unknown>;
}

/**
 * Returns the two parts of the list: users known to an identity provider, and the other members. Each is read from an
 * index in the same order; users move between the parts within a transaction.
 */
function partsOf(executor: ReadExecutor, orgId: string, filter: Filter | undefined): readonly Part[] {
  return [
    {
      source: KNOWN,
      from: sql`scim_users s
        left join memberships m on m.org_id = s.org_id and m.user_id = s.user_id
        left join invitations i on i.org_id = s.org_id and i.user_id = s.user_id`,
      bare: sql`scim_users s`,
      where: sql`s.org_id = ${orgId}`,
    },
    {
      source: unprovisionedMembers(executor),
      // In SQLite, a cross join fixes the join order, which its planner would not choose.
      from: isSelective(filter)
        ? sql`accounts a cross join memberships m`
        : sql`memberships m join accounts a on a.id = m.user_id`,
      bare: sql`memberships m`,
      where: sql`m.org_id = ${orgId} and m.in_scim = 0 ${isSelective(filter) ? sql`and m.user_id = a.id` : sql``}`,
    },
  ];
}

/** Returns whether a filter is so selective that an index of accounts finds the matches. */
function isSelective(filter: Filter | undefined): boolean {
  if (filter?.op === 'and') return filter.filters.some(isSelective);
  if (filter?.op === 'or') return filter.filters.every(isSelective);
  if (filter?.op === 'any') return isSelective(filter.filter);
  return filter?.op === 'eq' && (filter.path === 'userName' || filter.path === 'emails.value');
}

function selected({ kept, active, ...source }: UserSource): RawBuilder<unknown> {
  const columns = {
    id: sql.ref(source.id),
    ...kept,
    active,
    createdAt: sql.ref(source.createdAt),
    updatedAt: sql.ref(source.updatedAt),
  };
  return sql.join(Object.entries(columns).map(([name, value]) => sql`${value} as ${sql.id(name)}`));
}

const filtered = (executor: ReadExecutor, { source, where }: Part, filter: Filter | undefined): RawBuilder<SqlBool> =>
  filter ? sql`${where} and ${filterCondition(executor, filter, source.columns)}` : where;

interface Page {
  readonly filter?: Filter | undefined;
  readonly after?: Place | undefined;
  readonly limit: number;
}

/** Returns a page of users in order of creation. */
export async function listUsers(
  executor: ReadExecutor,
  orgId: string,
  { filter, after, limit }: Page,
): Promise<UserRow[]> {
  const parts = partsOf(executor, orgId, filter).map((part) => {
    const { createdAt, id } = part.source;
    const place = sql`${sql.ref(createdAt)}, ${sql.ref(id)}`;
    // The sign keeps engines from scanning the index in this order instead of sorting the few matches.
    const sign = isSelective(filter) ? sql`+` : sql``;
    const beyond = after ? sql`and (${place}) > (${after.createdAt}, ${after.id})` : sql``;
    return sql`select * from (
      select ${selected(part.source)} from ${part.from} where ${filtered(executor, part, filter)} ${beyond} order by ${sign}${place} limit ${limit}
    ) as part`;
  });
  const { rows } = await sql<UserRow>`
    ${sql.join(parts, sql` union all `)} order by ${sql.id('createdAt')}, id limit ${limit}`.execute(executor);
  return rows;
}

const narrowed = (part: Part, filter: Filter | undefined) => (filter ? part.from : part.bare);

/** Returns the position of the nth user, counted from 1; undefined if the list is shorter. */
export async function placeAt(
  executor: ReadExecutor,
  orgId: string,
  filter: Filter | undefined,
  position: number,
): Promise<Place | undefined> {
  const parts = partsOf(executor, orgId, filter).map(
    (part) => sql`
      select ${sql.ref(part.source.createdAt)} as ${sql.id('createdAt')}, ${sql.ref(part.source.id)} as id
      from ${narrowed(part, filter)} where ${filtered(executor, part, filter)}`,
  );
  const { rows } = await sql<Place>`
    ${sql.join(parts, sql` union all `)} order by ${sql.id('createdAt')}, id limit 1 offset ${position - 1}`.execute(
    executor,
  );
  return rows[0];
}

export async function countUsers(executor: ReadExecutor, orgId: string, filter: Filter | undefined): Promise<number> {
  const counts = partsOf(executor, orgId, filter).map(
    (part) => sql`(select count(*) from ${narrowed(part, filter)} where ${filtered(executor, part, filter)})`,
  );
  const { rows } = await sql<{ count: number }>`select ${sql.join(counts, sql` + `)} as count`.execute(executor);
  return rows[0]?.count ?? 0;
}
