import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { BrowserRow } from '../tables.ts';

/** Returns the browsers from which a user has signed in. */
export async function browsersOf(executor: ReadExecutor, userId: string): Promise<string[]> {
  const rows = await executor.selectFrom('known_browsers').select('browser').where('user_id', '=', userId).execute();
  return rows.map(({ browser }) => browser);
}

export async function putBrowser(tx: Executor, row: BrowserRow): Promise<void> {
  await tx
    .insertInto('known_browsers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'browser']).doUpdateSet({ seen_at: row.seen_at }))
    .execute();
}

/** Deletes browsers last used before a time, of at most `limit` users; returns the number of deleted rows. */
export async function deleteOldBrowsers(tx: Executor, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('known_browsers')
    .where('seen_at', '<', before)
    .where('user_id', 'in', (of) =>
      of.selectFrom('known_browsers').select('user_id').where('seen_at', '<', before).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
