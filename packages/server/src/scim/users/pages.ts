import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { parseFilter } from '../protocol/filter/parse.ts';
import { readPage } from '../protocol/resources/paging.ts';
import type { PageCursors } from './page-cursors.ts';
import { countUsers, listUsers, placeAt, type UserRow } from './user-list-store.ts';

interface Query {
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
  readonly filter?: string | undefined;
}

export interface UserPage {
  readonly rows: readonly UserRow[];
  readonly totalResults: number;
  readonly startIndex: number;
}

/**
 * Reads a page of an organization's users by number, at the same cost at any position: it starts where the previous
 * page ended, and the total is counted once per reading client.
 */
export async function readUserPage(
  executor: ReadExecutor,
  marks: PageCursors,
  orgId: string,
  query: Query,
): Promise<UserPage> {
  const { startIndex, count } = readPage(query);
  const text = query.filter?.trim() ?? '';
  const filter = text === '' ? undefined : parseFilter('User', text);
  const mark = marks.find(orgId, text, startIndex);
  const after = mark?.after ?? (startIndex > 1 ? await placeAt(executor, orgId, filter, startIndex - 1) : undefined);
  const beyond = startIndex > 1 && !after;
  const rows = count === 0 || beyond ? [] : await listUsers(executor, orgId, { filter, after, limit: count });
  const end = startIndex - 1 + rows.length;
  const isLast = rows.length < count && !beyond;
  const totalResults = isLast
    ? end
    : Math.max(mark?.total ?? (await countUsers(executor, orgId, filter)), rows.length && end);
  const last = rows.at(-1);
  if (last && !isLast) marks.keep(orgId, text, end + 1, { after: last, total: totalResults });
  return { rows, totalResults, startIndex };
}
