import { type SqlBool, sql } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { streamTarget } from '../matching/lane.ts';
import type { WebhookRow } from '../tables.ts';

/** Selects the streams that are neither closed nor expired. */
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

/** Returns a stream of any owner, expired or not, locked until the transaction ends. */
export const lockStreamById = (tx: Executor, id: string): Promise<WebhookRow | undefined> =>
  tx
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id)
    .where('state', '<>', 'deleted')
    .where('stream_until', 'is not', null)
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .executeTakeFirst();

/** A connection of a stream, which is sent to the newest one only. */
export interface Connection {
  readonly streamId: string;
  readonly connection: string;
}

/** Makes a connection the newest of its stream and sets when the stream expires; returns false for a missing stream. */
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

/** Sets when a stream expires; returns false for a missing stream, or one with a newer connection. */
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

/** Returns whether a connection is still the newest of its stream. */
export const isCurrent = async (executor: ReadExecutor, { streamId, connection }: Connection): Promise<boolean> =>
  (await currentIn(executor, { streamId, connection })).length > 0;

/** The maximum number of deliveries of a stream that are sent but not yet acknowledged. */
export const WINDOW = 32;

const waitingIn = prepared<{ lane: string }>()((executor, argument) =>
  executor
    .selectFrom('deliveries')
    .select('id')
    .where('lane', '=', argument('lane'))
    // A literal, as the partial index needs.
    .where(sql<SqlBool>`status = 'pending'`)
    .orderBy('due_at')
    .orderBy('id')
    .limit(WINDOW),
);

/** Returns the first unacknowledged deliveries of a stream, in their order: those that may be sent. */
export const windowOfStream = async (executor: ReadExecutor, streamId: string): Promise<string[]> =>
  (await waitingIn(executor, { lane: streamTarget(streamId) })).map(({ id }) => id);

/** Returns whether a delivery is in the log of a stream. */
export const isLogged = async (executor: ReadExecutor, streamId: string, deliveryId: string): Promise<boolean> =>
  (await executor
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where('webhook_id', '=', streamId)
    .executeTakeFirst()) !== undefined;
