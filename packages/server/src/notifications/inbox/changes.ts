import type { Database, Executor } from '../../platform/database/transaction.ts';
import { markOfUser, moveToDone, nextBatch, type Owner, type Position } from './change-store.ts';
import type { Filter } from './filter.ts';
import type { CounterChange } from './inbox-store.ts';
import type { Inboxes } from './inboxes.ts';

/** The rows of one transaction: SQLite makes all other writers wait, PostgreSQL only those that change the same inbox. */
const BATCH = { sqlite: 1000, postgres: 5000 } as const;

/** Changes many notifications of one user, batch after batch. Each change returns how many rows changed. */
export function createChanges({ database, inboxes }: { readonly database: Database; readonly inboxes: Inboxes }) {
  const limit = BATCH[database.engine];

  async function changeAll(
    owner: Owner,
    filter: Filter,
    read: 0 | 1 | undefined,
    change: (tx: Executor, threadIds: readonly string[], unread: number) => Promise<Omit<CounterChange, 'userId'>>,
  ): Promise<number> {
    const { userId } = owner;
    let changed = 0;
    for (let after: Position | undefined; ; ) {
      const batch = await database.transaction(async (tx) => {
        await inboxes.lock(tx, [userId]);
        const batch = await nextBatch(tx, owner, filter, read, { after, limit });
        const threadIds = batch.map(([threadId]) => threadId);
        const counters = await change(tx, threadIds, batch.filter(([, , isRead]) => isRead === 0).length);
        await inboxes.changeCounters(tx, [{ userId, ...counters }]);
        return batch;
      });
      changed += batch.length;
      after = batch.at(-1);
      if (batch.length < limit) return changed;
    }
  }

  return {
    delete: (owner: Owner, filter: Filter) =>
      changeAll(owner, filter, undefined, async (tx, threadIds, unread) => {
        await moveToDone(tx, owner.userId, threadIds);
        return { all: -threadIds.length, unread: -unread };
      }),

    mark: (owner: Owner, filter: Filter, read: boolean) =>
      changeAll(owner, filter, read ? 0 : 1, async (tx, threadIds) => {
        await markOfUser(tx, owner.userId, threadIds, read);
        return { all: 0, unread: read ? -threadIds.length : threadIds.length };
      }),
  };
}
