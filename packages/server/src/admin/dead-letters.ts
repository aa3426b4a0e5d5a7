import type { DeadLetter } from '@moonbase/contract/admin/dead-letters';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import { timestamp } from '../platform/clock.ts';
import type { DeadLetterRow, QueueName } from '../platform/database/tables.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { HubError, notFound } from '../platform/http/errors.ts';
import { idFromCursor, type PageOf, pageFrom } from '../platform/http/pagination.ts';
import { listDeadLetters, takeDeadLetter } from '../platform/queue/dead-letter-store.ts';
import type { DeadLetterQueues } from '../platform/queue/dead-letters.ts';

type Success = { readonly success: true };

interface Dependencies {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly logger: { warn(details: object, message: string): void };
  readonly queues: DeadLetterQueues;
}

interface Query {
  readonly queue?: QueueName | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export type DeadLetters = ReturnType<typeof createDeadLetters>;

/** The items that queues set aside, for site administrators. */
export function createDeadLetters({ database, audit, logger, queues }: Dependencies) {
  /** Returns a dead letter and deletes it in this transaction. */
  async function take(tx: Executor, id: string): Promise<DeadLetterRow> {
    const row = await takeDeadLetter(tx, id);
    if (!row) throw notFound('There is no such dead letter; it may have been retried or discarded by now');
    return row;
  }

  /** Records what became of a dead letter; one whose item is gone can only be discarded. */
  function record(tx: Executor, caller: Caller, verb: 'retry' | 'discard', row: DeadLetterRow): Promise<void> {
    const { queue, item_id: itemId, kind } = row;
    const message = `${verb === 'retry' ? 'Retried' : 'Discarded'} a dead letter of the queue ${queue}`;
    return recordForSite(audit, tx, caller, { type: `dead_letter.${verb}`, message, data: { queue, itemId, kind } });
  }

  const log = ({ principal }: Caller, { queue, item_id: itemId }: DeadLetterRow, message: string) =>
    logger.warn({ queue, itemId, userId: principal.userId }, message);

  return {
    async list({ queue, cursor, limit }: Query): Promise<PageOf<DeadLetter>> {
      const before = idFromCursor(cursor);
      const rows = await listDeadLetters(database.read, queue, before, limit + 1);
      const { items, next } = pageFrom(rows, limit, ({ id }) => id);
      return { items: items.map(present), next };
    },

    /** Returns the item to its queue, as if it had never failed. */
    async retry(caller: Caller, id: string): Promise<Success> {
      const { row, isThere } = await database.transaction(async (tx) => {
        const row = await take(tx, id);
        const isThere = await queues[row.queue].retry(tx, row.item_id);
        await record(tx, caller, isThere ? 'retry' : 'discard', row);
        return { row, isThere };
      });
      if (!isThere) throw new HubError(410, 'The item no longer exists: there is nothing to retry');
      log(caller, row, 'a dead letter is retried');
      return { success: true };
    },

    /** Discards the item permanently. */
    async discard(caller: Caller, id: string): Promise<Success> {
      const row = await database.transaction(async (tx) => {
        const row = await take(tx, id);
        await queues[row.queue].discard(tx, row.item_id);
        await record(tx, caller, 'discard', row);
        return row;
      });
      log(caller, row, 'a dead letter is discarded');
      return { success: true };
    },
  };
}

const present = (row: DeadLetterRow): DeadLetter => ({
  id: row.id,
  queue: row.queue,
  itemId: row.item_id,
  kind: row.kind,
  error: row.error,
  failures: row.failures,
  deaths: row.deaths,
  createdAt: timestamp(row.created_at),
  setAsideAt: timestamp(row.set_aside_at),
});
