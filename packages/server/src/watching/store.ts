import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { granted, repoColumns } from '../access/index.ts';
import { insertNew } from '../platform/database/bulk.ts';
import { type RowOf, text } from '../platform/database/columns.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { type MuteRow, WATCH, type WatchRow } from './tables.ts';
import { type List, targetIsThere } from './targets.ts';

const TARGET = { ...WATCH, target_type: text<WatchRow['target_type'] | MuteRow['target_type']>() };

/** What is there already stays as it is. */
export const addTargets = (tx: Executor, list: List, rows: readonly RowOf<typeof TARGET>[]): Promise<void> =>
  insertNew(tx, list, TARGET, rows);

export async function removeTargets(
  tx: Executor,
  list: List,
  userId: string,
  type: WatchRow['target_type'] | MuteRow['target_type'],
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

/** Forgets what has been deleted since. */
export async function removeGone(tx: Executor, list: List, userId: string): Promise<void> {
  await tx.deleteFrom(list).where('user_id', '=', userId).where(sql<SqlBool>`not ${targetIsThere[list]}`).execute();
}

export async function watchOrganization(tx: Executor, userId: string, orgId: string, now: number): Promise<void> {
  await addTargets(tx, 'watches', [{ user_id: userId, target_type: 'org', target_id: orgId, created_at: now }]);
}

/**
 * Ends watches on repositories that those who watch them have no grant for: of one user, or of all, among the given.
 * Those of a deleted organization are out of sight as long, and stay.
 */
export async function forgetUnreadable(
  tx: Executor,
  { userIds, repos }: { readonly userIds?: readonly string[] | undefined; readonly repos: RawBuilder<SqlBool> },
): Promise<void> {
  let unreadable = tx
    .deleteFrom('watches')
    .where('target_type', '=', 'repo')
    .where(sql<SqlBool>`target_id in (select repositories.id from repositories where ${repos})`)
    .where(
      sql<SqlBool>`exists (
        select 1 from repositories where repositories.id = watches.target_id
        and not ${granted(repoColumns, sql.ref('watches.user_id'))}
      )`,
    );
  if (userIds) unreadable = unreadable.where(whereIn(tx, 'user_id', userIds));
  await unreadable.execute();
}

/** Ends the watch on an organization and on those of its repositories that the user may not read. */
export async function forgetOrganization(tx: Executor, userId: string, orgId: string): Promise<void> {
  await removeTargets(tx, 'watches', userId, 'org', [orgId]);
  await forgetUnreadable(tx, { userIds: [userId], repos: sql`repositories.owner_id = ${orgId}` });
}
