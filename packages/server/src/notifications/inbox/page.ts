import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { readPreviews } from '../thread-previews/thread-previews.ts';
import type { Filter } from './filter.ts';
import { findPage, type InboxPage, type PageBounds, type StoredNotification } from './page-store.ts';

/** Returns a page of a user's notifications, each with the preview of its thread. */
export async function readPage(
  executor: ReadExecutor,
  userId: string,
  filter: Filter,
  bounds: PageBounds,
): Promise<InboxPage> {
  const page = await findPage(executor, userId, filter, bounds);
  return { ...page, rows: await withPreviews(executor, page.rows) };
}

/** Makes the previews that are not stored; leaves out threads that no longer exist. */
export async function withPreviews(
  executor: ReadExecutor,
  rows: readonly StoredNotification[],
): Promise<readonly StoredNotification[]> {
  const missing = rows.filter(({ preview }) => preview === '').map(({ threadId }) => threadId);
  if (missing.length === 0) return rows;
  const previews = await readPreviews(executor, missing);
  return rows.flatMap((row) => {
    const preview = row.preview || previews.get(row.threadId)?.json;
    return preview === undefined ? [] : [{ ...row, preview }];
  });
}
