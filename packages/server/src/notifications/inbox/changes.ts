import { sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/json-rows.ts';
import { given } from '../../platform/database/prepared.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { deleteNotificationsOf, markOf } from '../clean-up/delete-notifications.ts';
import { conditions, shapeOf, valuesOf } from './conditions.ts';
import type { Filter } from './filter.ts';
import type { Inboxes } from './inboxes.ts';

/** So many rows a transaction: on SQLite others wait for its end, on PostgreSQL only whoever changes the same inbox. */
const BATCH = { sqlite: 1000, postgres: 5000 } as const;

/** Whose notifications are changed; with `viewer` only what that token reads. */
interface Owner {
  readonly userId: string;
  readonly viewer: Principal | undefined;
}

type Position = [threadId: string, updatedAt: number, read: 0 | 1];

/** The next ones that match, from the latest update on. What has news meanwhile is before them and stays as it is. */
async function nextBatch(
  tx: Executor,
  { userId, viewer }: Owner,
  filter: Filter,
  read: 0 | 1 | undefined,
  { after, limit }: { after: Position | undefined; limit: number },
): Promise<Position[]> {
  const values = valuesOf(userId, filter);
  const where = conditions(tx, shapeOf(filter), given(values), viewer);
  const [afterId, afterAt] = after ?? [];
  const beyond =
    after && sql`and n.updated_at <= ${afterAt} and (n.updated_at < ${afterAt} or n.thread_id > ${afterId})`;
  const { rows } = await sql<{ batch: string }>`
    select ${asText(tx, jsonRows(tx, ['next.thread_id', 'next.updated_at', 'next.read']))} as batch from (
      select n.thread_id, n.updated_at, n.read from notifications n
      where ${where} ${read === undefined ? sql`` : sql`and n.read = ${sql.lit(read)}`} ${beyond ?? sql``}
      order by n.updated_at desc, n.thread_id limit ${limit}
    ) as next
  `.execute(tx);
  const batch = JSON.parse(rows[0]?.batch ?? '[]') as Position[];
  return batch.sort(([a, atA], [b, atB]) => atB - atA || (a < b ? -1 : 1));
}

/** Changes of many notifications of one user, batch after batch. Each answers how many changed. */
export function createChanges({ database, inboxes }: { readonly database: Database; readonly inboxes: Inboxes }) {
  const limit = BATCH[database.engine];

  async function each(
    owner: Owner,
    filter: Filter,
    read: 0 | 1 | undefined,
    change: (tx: Executor, threadIds: readonly string[], unread: number) => Promise<{ all: number; unread: number }>,
  ): Promise<number> {
    const { userId } = owner;
    let changed = 0;
    for (let after: Position | undefined; ; ) {
      const batch = await database.transaction(async (tx) => {
        await inboxes.hold(tx, [userId]);
        const batch = await nextBatch(tx, owner, filter, read, { after, limit });
        const threadIds = batch.map(([threadId]) => threadId);
        const shift = await change(tx, threadIds, batch.filter(([, , isRead]) => isRead === 0).length);
        await inboxes.shift(tx, [{ userId, ...shift }]);
        return batch;
      });
      changed += batch.length;
      after = batch.at(-1);
      if (batch.length < limit) return changed;
    }
  }

  return {
    remove: (owner: Owner, filter: Filter) =>
      each(owner, filter, undefined, async (tx, threadIds, unread) => {
        await deleteNotificationsOf(tx, owner.userId, threadIds);
        return { all: -threadIds.length, unread: -unread };
      }),

    mark: (owner: Owner, filter: Filter, read: boolean) =>
      each(owner, filter, read ? 0 : 1, async (tx, threadIds) => {
        await markOf(tx, owner.userId, threadIds, read);
        return { all: 0, unread: read ? -threadIds.length : threadIds.length };
      }),
  };
}
