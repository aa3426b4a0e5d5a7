import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest, whereIn } from '../../platform/database/where-in.ts';
import type { Filter } from '../protocol/filter/filter.ts';
import { type Columns, filterCondition } from '../protocol/filter/sql.ts';
import type { ScimGroupRow } from '../tables.ts';

const COLUMNS: Columns = {
  id: { sql: sql.ref('g.id'), type: 'string' },
  displayName: { sql: sql.ref('g.display_name'), type: 'string', folded: sql.ref('g.display_key') },
  externalId: { sql: sql.ref('g.external_id'), type: 'string' },
  members: {
    exists: (condition) => sql<SqlBool>`exists (
      select 1 from scim_group_members gm where gm.group_id = g.id and ${isUser} and ${condition}
    )`,
  },
  'members.value': { sql: sql.ref('gm.user_id'), type: 'string' },
  'meta.created': { sql: sql.ref('g.created_at'), type: 'dateTime' },
  'meta.lastModified': { sql: sql.ref('g.updated_at'), type: 'dateTime' },
  'meta.resourceType': { sql: sql`'Group'`, type: 'string' },
};

/** That whoever is in a group `g` by a row `gm` is a user of the organization: somebody may have left by hand. */
const isUser = sql<SqlBool>`(
  exists (select 1 from memberships m where m.org_id = g.org_id and m.user_id = gm.user_id)
  or exists (select 1 from scim_users s where s.org_id = g.org_id and s.user_id = gm.user_id)
)`;

const found = (executor: ReadExecutor, orgId: string, filter: Filter | undefined): RawBuilder<unknown> =>
  sql`from scim_groups g
    where g.org_id = ${orgId} ${filter ? sql`and ${filterCondition(executor, filter, COLUMNS)}` : sql``}`;

/** Groups in the order of their making, a page of them. */
export async function listGroups(
  executor: ReadExecutor,
  orgId: string,
  { filter, skip, limit }: { readonly filter: Filter | undefined; readonly skip: number; readonly limit: number },
): Promise<ScimGroupRow[]> {
  const { rows } = await sql<ScimGroupRow>`
    select g.* ${found(executor, orgId, filter)} order by g.created_at, g.id limit ${limit} offset ${skip}`.execute(
    executor,
  );
  return rows;
}

export async function countGroups(executor: ReadExecutor, orgId: string, filter: Filter | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count ${found(executor, orgId, filter)}`.execute(
    executor,
  );
  return rows[0]?.count ?? 0;
}

export const findScimGroup = (executor: ReadExecutor, orgId: string, id: string): Promise<ScimGroupRow | undefined> =>
  executor.selectFrom('scim_groups').selectAll().where('id', '=', id).where('org_id', '=', orgId).executeTakeFirst();

/** Who is in some groups, by the id of the group. */
export async function membersOf(executor: ReadExecutor, groupIds: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ groupId: string; userId: string }>`
    select gm.group_id as ${sql.id('groupId')}, gm.user_id as ${sql.id('userId')}
    from scim_group_members gm join scim_groups g on g.id = gm.group_id
    where ${whereIn(executor, 'gm.group_id', groupIds)} and ${isUser}
    order by gm.group_id, gm.user_id`.execute(executor);
  const members = new Map<string, string[]>(groupIds.map((id) => [id, []]));
  for (const { groupId, userId } of rows) members.get(groupId)?.push(userId);
  return members;
}

/** Of some ids those that are users of an organization. */
export async function usersAmong(executor: Executor, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select user_id as id from memberships where org_id = ${orgId} and ${whereIn(executor, 'user_id', ids)}
    union
    select user_id from scim_users where org_id = ${orgId} and ${whereIn(executor, 'user_id', ids)}`.execute(executor);
  return new Set(rows.map((row) => row.id));
}

/** Throws where another group of the organization has the name. */
export async function insertGroup(tx: Executor, row: ScimGroupRow): Promise<void> {
  await tx.insertInto('scim_groups').values(row).execute();
}

/** Changes a group, which is another version then. */
export async function updateGroup(
  tx: Executor,
  id: string,
  change: Partial<ScimGroupRow> & Pick<ScimGroupRow, 'updated_at'>,
): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function deleteGroup(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).execute();
}

/** Puts users into a group; returns those who were not in it. */
export async function addMembers(tx: Executor, groupId: string, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    insert into scim_group_members (group_id, user_id)
    select cast(${groupId} as text), value from ${unnest(tx, userIds)} as wanted where true
    on conflict do nothing returning user_id`.execute(tx);
  return rows.map((row) => row.user_id);
}

/** Takes users out of a group; returns those who were in it. */
export async function removeMembers(tx: Executor, groupId: string, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('scim_group_members')
    .where('group_id', '=', groupId)
    .where(whereIn(tx, 'user_id', userIds))
    .returning('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

/** All ids in a group, also of those who have left the organization by hand. */
export async function memberIdsOf(executor: Executor, groupId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('scim_group_members')
    .select('user_id')
    .where('group_id', '=', groupId)
    .execute();
  return rows.map((row) => row.user_id);
}

/** The groups that a user is in are other versions from now on. */
export async function touchGroupsOf(tx: Executor, orgId: string, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('org_id', '=', orgId)
    .where('id', 'in', (of) => of.selectFrom('scim_group_members').select('group_id').where('user_id', '=', userId))
    .execute();
}
