import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../database/transaction.ts';
import { isNotSetAside } from '../queue/dead-letters.ts';

const BATCH_ROWS = 500;

/**
 * Deletes events between two ids that are done, not set aside and not needed any more, a batch of them; returns the last
 * one looked at, undefined at the end.
 */
export async function pruneEvents(
  tx: Executor,
  { after, before }: { readonly after: string; readonly before: string },
  isNeeded: RawBuilder<SqlBool>,
): Promise<string | undefined> {
  const rows = await tx
    .selectFrom('events')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  await tx
    .deleteFrom('events')
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('done_at', 'is not', null)
    .where(isNotSetAside('events', 'events.id'))
    .where(sql<SqlBool>`not ${isNeeded}`)
    .execute();
  return last;
}
