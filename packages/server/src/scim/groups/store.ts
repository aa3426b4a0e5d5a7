import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest, whereIn } from '../../platform/database/where-in.ts';
import type { Filter } from '../protocol/filter/filter.ts';
import { type Columns, filterCondition } from '../protocol/filter/filter-conditions.ts';
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

/**
 * The condition that a member row `gm` of a group `g` names a member of the organization, or a user whom its identity
 * provider still lists.
 */
const isUser = sql<SqlBool>`(
  exists (select 1 from memberships m where m.org_id = g.org_id and m.user_id = gm.user_id)
  or exists (select 1 from scim_users s where s.org_id = g.org_id and s.user_id = gm.user_id)
)`;

const found = (executor: ReadExecutor, orgId: string, filter: Filter | undefined): RawBuilder<unknown> =>
  sql`from scim_groups g
    where g.org_id = ${orgId} and g.deleted_at is null ${filter ? sql`and ${filterCondition(executor, filter, COLUMNS)}` : sql``}`;

/** Returns a page of groups in order of creation. */
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
  executor
    .selectFrom('scim_groups')
    .selectAll()
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Returns the members of some groups, by group id. */
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

/** The maximum number of members per statement, so that other requests run in between. */
const MAX_MEMBERS = 1000;

/** Runs a statement for batches of ids; returns the ids that the statements return. */
async function inParts(
  ids: readonly string[],
  statement: (part: readonly string[]) => Promise<readonly { readonly user_id: string }[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (let from = 0; from < ids.length; from += MAX_MEMBERS)
    for (const { user_id } of await statement(ids.slice(from, from + MAX_MEMBERS))) found.push(user_id);
  return found;
}

/** Returns those of the ids that are users of an organization. */
export async function filterUsers(tx: Executor, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await inParts(ids, async (part) => {
    const { rows } = await sql<{ user_id: string }>`
      select user_id from memberships where org_id = ${orgId} and ${whereIn(tx, 'user_id', part)}
      union
      select user_id from scim_users where org_id = ${orgId} and ${whereIn(tx, 'user_id', part)}`.execute(tx);
    return rows;
  });
  return new Set(found);
}

/** Throws if another group of the organization has the name. */
export async function insertGroup(tx: Executor, row: ScimGroupRow): Promise<void> {
  await tx.insertInto('scim_groups').values(row).execute();
}

/** Changes a group and increments its version. */
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

/** Hides a group, and frees its name and external id. */
export async function hideGroup(tx: Executor, id: string, now: number): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set({ deleted_at: now, display_key: `deleted ${id}`, external_id: null })
    .where('id', '=', id)
    .execute();
}

export async function deleteGroup(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('scim_groups').where('id', '=', id).execute();
}

/** Adds users to a group; returns those who were not members. */
export const addMembers = (tx: Executor, groupId: string, userIds: readonly string[]): Promise<string[]> =>
  inParts(userIds, async (part) => {
    const { rows } = await sql<{ user_id: string }>`
      insert into scim_group_members (group_id, user_id)
      select cast(${groupId} as text), value from ${unnest(tx, part)} as wanted where true
      on conflict do nothing returning user_id`.execute(tx);
    return rows;
  });

/** Removes users from a group; returns those who were members. */
export const removeMembers = (tx: Executor, groupId: string, userIds: readonly string[]): Promise<string[]> =>
  inParts(userIds, (part) =>
    tx
      .deleteFrom('scim_group_members')
      .where('group_id', '=', groupId)
      .where(whereIn(tx, 'user_id', part))
      .returning('user_id')
      .execute(),
  );

/** Returns the ids in a group, up to `limit`, including users who left the organization manually. */
export async function memberIdsOf(tx: Executor, groupId: string, limit?: number): Promise<string[]> {
  let query = tx.selectFrom('scim_group_members').select('user_id').where('group_id', '=', groupId);
  if (limit !== undefined) query = query.orderBy('user_id').limit(limit);
  const rows = await query.execute();
  return rows.map((row) => row.user_id);
}

/** Deletes some members of a group; returns the number of deleted rows. */
export async function deleteMembers(tx: Executor, groupId: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('scim_group_members')
    .where('group_id', '=', groupId)
    .where('user_id', 'in', (of) =>
      of.selectFrom('scim_group_members').select('user_id').where('group_id', '=', groupId).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Increments the versions of the groups of a user. */
export async function touchGroupsOf(tx: Executor, orgId: string, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('scim_groups')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('org_id', '=', orgId)
    .where('id', 'in', (of) => of.selectFrom('scim_group_members').select('group_id').where('user_id', '=', userId))
    .execute();
}
