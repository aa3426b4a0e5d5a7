import { type SqlBool, sql } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { streamTarget } from '../matching/lane.ts';
import type { WebhookRow } from '../tables.ts';

/** The streams that are there. */
const open = (executor: ReadExecutor, now: number) =>
  executor.selectFrom('webhooks').where('state', '<>', 'deleted').where('stream_until', '>', now);

export const listStreams = (executor: ReadExecutor, ownerId: string, now: number): Promise<WebhookRow[]> =>
  open(executor, now).selectAll().where('owner_id', '=', ownerId).orderBy('id').execute();

export const findStream = (
  executor: ReadExecutor,
  ownerId: string,
  id: string,
  now: number,
): Promise<WebhookRow | undefined> =>
  open(executor, now).selectAll().where('id', '=', id).where('owner_id', '=', ownerId).executeTakeFirst();

/** Whoever owns it, expired or not, locked until the transaction ends. */
export const lockStreamById = (tx: Executor, id: string): Promise<WebhookRow | undefined> =>
  tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'deleted')
    .where('stream_until', 'is not', null)
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .executeTakeFirst();

/** A connection of a stream: the newest is the one that counts. */
export interface Connection {
  readonly streamId: string;
  readonly connection: string;
}

/** Makes a connection the one that counts, and keeps the stream until then; false where it is not there. */
export async function connectStream(
  executor: Executor,
  ownerId: string,
  { streamId, connection }: Connection,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<boolean> {
  const kept = await executor
    .updateTable('webhooks')
    .set({ connection, stream_until: until })
    .where('id', '=', streamId)
    .where('owner_id', '=', ownerId)
    .where('state', '<>', 'deleted')
    .where('stream_until', '>', now)
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/** Keeps a stream until then; false where it is not there, or has another connection. */
export async function extendStream(executor: Executor, at: Connection, until: number): Promise<boolean> {
  const kept = await executor
    .updateTable('webhooks')
    .set({ stream_until: until })
    .where('id', '=', at.streamId)
    .where('connection', '=', at.connection)
    .where('state', '<>', 'deleted')
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

const currentIn = prepared<{ streamId: string; connection: string }>()((executor, argument) =>
  executor
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', argument('streamId'))
    .where('connection', '=', argument('connection'))
    .where('state', '<>', 'deleted'),
);

/** Whether a connection is still the one that counts. */
export const isCurrent = async (executor: ReadExecutor, { streamId, connection }: Connection): Promise<boolean> =>
  (await currentIn(executor, { streamId, connection })).length > 0;

/** So many deliveries of a stream are sent and not acknowledged at the most. */
export const WINDOW = 32;

const waitingIn = prepared<{ lane: string }>()((executor, argument) =>
  executor
    .selectFrom('deliveries')
    .select('id')
    .where('lane', '=', argument('lane'))
    // In the words of the partial index.
    .where(sql<SqlBool>`status = 'pending'`)
    .orderBy('due_at')
    .orderBy('id')
    .limit(WINDOW),
);

/** The first deliveries of a stream that are not acknowledged, in their order: what may be sent. */
export const windowOfStream = async (executor: ReadExecutor, streamId: string): Promise<string[]> =>
  (await waitingIn(executor, { lane: streamTarget(streamId) })).map(({ id }) => id);

/** Whether a delivery is in the log of a stream. */
export const isLogged = async (executor: ReadExecutor, streamId: string, deliveryId: string): Promise<boolean> =>
  (await executor
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where('webhook_id', '=', streamId)
    .executeTakeFirst()) !== undefined;
