import { type Expression, type RawBuilder, sql } from 'kysely';
import { type Readable, type Reader, readingScope } from './policy.ts';

/** The properties of a repository that decide reading, as columns of a query or as values. */
interface Facts {
  readonly private: Expression<number>;
  readonly ownerId: Expression<string>;
  /** The resource group of the repository; null if it is in none. */
  readonly groupId: Expression<string | null>;
}

/** Returns the columns of the table `repositories` under an alias; the table `collections` has them, too. */
export const repoColumnsOf = (alias: string) => ({
  id: sql.ref<string>(`${alias}.id`),
  private: sql.ref<number>(`${alias}.private`),
  ownerId: sql.ref<string>(`${alias}.owner_id`),
  groupId: sql.ref<string | null>(`${alias}.resource_group_id`),
});

/** The columns of the table `repositories`. */
export const repoColumns = repoColumnsOf('repositories');

/** The condition that an owner is not a deleted organization; at any time few are. */
export const notDeleted = (ownerId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`${ownerId} not in (select org_id from organization_settings where deleted_at is not null)`;

/**
 * The condition that a user has any grant on a repository, for use in any query: the SQL version of `grantsOn`. Grants
 * outlive the deletion of an organization, which may be restored.
 */
export const hasGrant = (repo: Facts, userId: Expression<string>): RawBuilder<boolean> => sql<boolean>`(
  ${repo.private} = 0 or ${repo.ownerId} = ${userId} or exists (
    select 1 from memberships m where m.org_id = ${repo.ownerId} and m.user_id = ${userId}
    and (m.base_role = 'admin' or ${repo.groupId} is null and m.base_role <> 'no_access')
  ) or exists (
    select 1 from resource_group_users g where g.group_id = ${repo.groupId} and g.user_id = ${userId}
    and g.base_role <> 'no_access'
  )
)`;

/** The condition that a user is not disabled; it uses an index of disabled users. */
export const notDisabled = (userId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`not exists (select 1 from accounts d where d.id = ${userId} and d.disabled_at is not null)`;

/**
 * The condition that a user may read a repository, apart from being disabled: rows that depend on it survive while the
 * user is disabled.
 */
export const mayReadIfEnabled = (repo: Facts, userId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`(${notDeleted(repo.ownerId)} and ${hasGrant(repo, userId)})`;

/** The condition that a user may read a repository. */
export const readable = (repo: Facts, userId: Expression<string>): RawBuilder<boolean> =>
  sql<boolean>`(${mayReadIfEnabled(repo, userId)} and ${notDisabled(userId)})`;

/** Returns the facts of one repository as values of a query. */
export const factsAsValues = (repo: {
  private: boolean;
  ownerId: string;
  groupId: string | null | undefined;
}): Facts => ({
  private: sql<number>`cast(${repo.private ? 1 : 0} as integer)`,
  ownerId: sql<string>`cast(${repo.ownerId} as text)`,
  groupId: sql<string | null>`cast(${repo.groupId ?? null} as text)`,
});

/** The condition that a user of the query may read a given repository. */
export const readersOf = (repo: Parameters<typeof factsAsValues>[0], userId: Expression<string>): RawBuilder<boolean> =>
  readable(factsAsValues(repo), userId);

/**
 * The condition that a caller, who is not disabled, may read a repository, or a collection, with the caller's token, which
 * may reach less than its user: the SQL version of `roleOf`. No account has the empty id that stands for the absence of a
 * user.
 */
export function readableBy(
  repo: Facts & { id: Expression<string> },
  { userId, token }: Reader,
  kind: Readable = 'repository',
): RawBuilder<boolean> {
  const cutOff = Object.keys(token.cutOff ?? {});
  const ofReader = mayReadIfEnabled(repo, sql.val(userId ?? ''));
  const ofUser =
    cutOff.length === 0 ? ofReader : sql<boolean>`(${repo.ownerId} not in (${sql.join(cutOff)}) and ${ofReader})`;
  const scope = readingScope(token, kind);
  if (scope === undefined) return ofUser;
  const among = sql.join(scope);
  const reached =
    scope.length === 0
      ? sql`1 = 0`
      : sql`${repo.id} in (${among}) or ${repo.ownerId} in (${among}) or ${repo.groupId} in (${among})`;
  return sql<boolean>`(${ofUser} and (${repo.private} = 0 or ${reached}))`;
}

/** A query for columns of rows `o` of a table. */
export type RowsQuery = (columns: RawBuilder<unknown>) => RawBuilder<unknown>;

/**
 * Returns queries for columns of the private rows `o` of a table that a caller may read, each row once: those on which the user has
 * a grant, and, if the token limits reading, those that it reaches. They look rows up by owner and group, so that their cost
 * does not grow with what the caller may not read. `rows` is the table of this kind, and `among` a condition on its rows, which
 * is best an expression that other indexes do not answer.
 */
export function privateRowsOf(
  rows: RawBuilder<unknown>,
  kind: Readable,
  { userId = '', token }: Reader,
  among: RawBuilder<unknown>,
): [RowsQuery, ...RowsQuery[]] {
  const found = sql`o.private = 1 and ${among}`;
  const ofAdmins = sql`m.base_role = 'admin'`;
  const granted = (columns: RawBuilder<unknown>) => sql`
    select ${columns} from ${rows} o where o.owner_id = ${userId} and ${found}
    union all
    select ${columns} from memberships m cross join ${rows} o
    where m.user_id = ${userId} and ${ofAdmins} and o.owner_id = m.org_id and ${found}
    union all
    select ${columns} from memberships m cross join ${rows} o
    where m.user_id = ${userId} and m.base_role not in ('admin', 'no_access')
      and o.owner_id = m.org_id and o.resource_group_id is null and ${found}
    union all
    select ${columns} from resource_group_users g cross join ${rows} o
    where g.user_id = ${userId} and g.base_role <> 'no_access' and o.resource_group_id = g.group_id and ${found}
      and not exists (select 1 from memberships m where m.org_id = o.owner_id and m.user_id = ${userId} and ${ofAdmins})`;
  const scope = readingScope(token, kind);
  if (scope === undefined) return [granted];
  if (scope.length === 0) return [(columns) => sql`select ${columns} from ${rows} o where 1 = 0`];
  const reached = sql.join(scope);
  return [
    granted,
    (columns) => sql`
      select ${columns} from ${rows} o where o.owner_id in (${reached}) and ${found}
      union all
      select ${columns} from ${rows} o
      where o.resource_group_id in (${reached}) and o.owner_id not in (${reached}) and ${found}
      union all
      select ${columns} from ${rows} o
      where o.id in (${reached}) and o.owner_id not in (${reached})
        and coalesce(o.resource_group_id, '') not in (${reached}) and ${found}`,
  ];
}
