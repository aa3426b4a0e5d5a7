import { sql } from 'kysely';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { conditions, shapeOf, valuesOf } from './conditions.ts';
import type { Filter } from './filter.ts';
import type { Inboxes } from './inboxes.ts';
import { markOf, takeAwayOf } from './take-away.ts';

/** So many rows a transaction, so that others get in between. */
const BATCH = 1000;

/** Whose notifications are changed; with `viewer` only what that token reads. */
interface Owner {
  readonly userId: string;
  readonly viewer: Principal | undefined;
}

interface Position {
  readonly thread_id: string;
  readonly updated_at: number;
}

/** The next ones that match, from the latest update on. What has news meanwhile is before them and stays as it is. */
async function nextBatch(
  tx: Executor,
  { userId, viewer }: Owner,
  filter: Filter,
  read: 0 | 1 | undefined,
  after: Position | undefined,
): Promise<Position[]> {
  const values = valuesOf(userId, filter);
  const where = conditions(tx, shapeOf(filter), (name) => values[name], viewer);
  const beyond =
    after &&
    sql`and n.updated_at <= ${after.updated_at}
      and (n.updated_at < ${after.updated_at} or n.thread_id > ${after.thread_id})`;
  const { rows } = await sql<Position>`
    select n.thread_id, n.updated_at from notifications n
    where ${where} ${read === undefined ? sql`` : sql`and n.read = ${sql.lit(read)}`} ${beyond ?? sql``}
    order by n.updated_at desc, n.thread_id limit ${BATCH}
  `.execute(tx);
  return rows;
}

/** Changes of many notifications of one user, batch after batch. Each answers how many changed. */
export function createChanges({ database, inboxes }: { readonly database: Database; readonly inboxes: Inboxes }) {
  async function each(
    owner: Owner,
    filter: Filter,
    read: 0 | 1 | undefined,
    change: (tx: Executor, threadIds: readonly string[]) => Promise<{ all: number; unread: number; count: number }>,
  ): Promise<number> {
    const { userId } = owner;
    let changed = 0;
    for (let after: Position | undefined; ; ) {
      const { last, count } = await database.transaction(async (tx) => {
        await inboxes.hold(tx, [userId]);
        const batch = await nextBatch(tx, owner, filter, read, after);
        const { all, unread, count } = await change(
          tx,
          batch.map(({ thread_id }) => thread_id),
        );
        await inboxes.shift(tx, [{ userId, all, unread }]);
        return { last: batch.length < BATCH ? undefined : batch.at(-1), count };
      });
      changed += count;
      if (!last) return changed;
      after = last;
    }
  }

  return {
    remove: (owner: Owner, filter: Filter) =>
      each(owner, filter, undefined, async (tx, threadIds) => {
        const { all, unread } = await takeAwayOf(tx, owner.userId, threadIds);
        return { all: -all, unread: -unread, count: all };
      }),

    mark: (owner: Owner, filter: Filter, read: boolean) =>
      each(owner, filter, read ? 0 : 1, async (tx, threadIds) => {
        const count = await markOf(tx, owner.userId, threadIds, read);
        return { all: 0, unread: read ? -count : count, count };
      }),
  };
}
