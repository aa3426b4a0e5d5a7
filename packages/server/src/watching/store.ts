import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasGrant, repoColumns } from '../access/index.ts';
import { insertNew } from '../platform/database/bulk.ts';
import { type RowOf, text } from '../platform/database/columns.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { type MuteRow, WATCH, type WatchRow } from './tables.ts';
import { type List, targetExists } from './target-conditions.ts';

type TargetType = WatchRow['target_type'] | MuteRow['target_type'];

const TARGET = { ...WATCH, target_type: text<TargetType>() };

/** Inserts targets; those that are in the list already keep their time. */
export const insertTargets = (tx: Executor, list: List, rows: readonly RowOf<typeof TARGET>[]): Promise<void> =>
  insertNew(tx, list, TARGET, rows);

export async function deleteTargets(
  tx: Executor,
  list: List,
  userId: string,
  type: TargetType,
  ids: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom(list)
    .where('user_id', '=', userId)
    .where('target_type', '=', type)
    .where(whereIn(tx, 'target_id', ids))
    .execute();
}

export async function countTargets(tx: Executor, list: List, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom(list)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
}

const isMissing = (list: List): RawBuilder<SqlBool> => sql<SqlBool>`not ${targetExists[list]}`;

/** Deletes the targets of a user that no longer exist. */
export async function deleteMissing(tx: Executor, list: List, userId: string): Promise<void> {
  await tx.deleteFrom(list).where('user_id', '=', userId).where(isMissing(list)).execute();
}

/** The key of a row in either list, which orders the rows. */
export interface TargetKey {
  readonly user_id: string;
  readonly target_id: string;
}

const isAfter = ({ user_id, target_id }: TargetKey): RawBuilder<SqlBool> =>
  sql<SqlBool>`(user_id, target_id) > (${user_id}, ${target_id})`;

/** Returns the keys that follow a key, of all users. */
export const nextKeys = (tx: Executor, list: List, after: TargetKey, limit: number): Promise<TargetKey[]> =>
  tx
    .selectFrom(list)
    .select(['user_id', 'target_id'])
    .where(isAfter(after))
    .orderBy('user_id')
    .orderBy('target_id')
    .limit(limit)
    .execute();

/** Deletes the targets after one key, up to another, that no longer exist. */
export async function deleteMissingBetween(tx: Executor, list: List, after: TargetKey, last: TargetKey): Promise<void> {
  await tx
    .deleteFrom(list)
    .where(isAfter(after))
    .where(sql<SqlBool>`(user_id, target_id) <= (${last.user_id}, ${last.target_id})`)
    .where(isMissing(list))
    .execute();
}

/** The repositories of an owner or a resource group, or repositories by id. */
export type Repositories =
  | { readonly ownerId: string }
  | { readonly groupId: string }
  | { readonly ids: readonly string[] };

function isAmong(tx: Executor, repos: Repositories): RawBuilder<SqlBool> {
  if ('ownerId' in repos) return sql`repositories.owner_id = ${repos.ownerId}`;
  if ('groupId' in repos) return sql`repositories.resource_group_id = ${repos.groupId}`;
  return whereIn(tx, 'repositories.id', repos.ids);
}

/**
 * Deletes watches on some repositories whose watchers have no grant for them; with `userIds` only watches of these users.
 * Watches on repositories of a deleted organization stay, because the organization can be restored.
 */
export async function deleteUnreadable(
  tx: Executor,
  repos: Repositories,
  userIds: readonly string[] | undefined,
): Promise<void> {
  let unreadable = tx
    .deleteFrom('watches')
    .where('target_type', '=', 'repo')
    .where(sql<SqlBool>`target_id in (select repositories.id from repositories where ${isAmong(tx, repos)})`)
    .where(
      sql<SqlBool>`exists (
        select 1 from repositories where repositories.id = watches.target_id
        and not ${hasGrant(repoColumns, sql.ref('watches.user_id'))}
      )`,
    );
  if (userIds) unreadable = unreadable.where(whereIn(tx, 'user_id', userIds));
  await unreadable.execute();
}
