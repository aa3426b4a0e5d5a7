import { type SqlBool, sql } from 'kysely';
import { among } from '../platform/database/among.ts';
import { type Executor, forUpdateSkipLocked } from '../platform/database/transaction.ts';

/** How long a claimed delivery is held before another worker may take it: it outlasts every sending. */
export const LEASE_MS = 30_000;

/** A lane with deliveries that wait, and when the first of them is due. */
export interface WaitingLane {
  readonly lane: string;
  readonly dueAt: number;
}

/** The next lanes after one, in their order, so many at the most: an index look-up each. */
export async function waitingLanes(executor: Executor, after: string, limit: number): Promise<WaitingLane[]> {
  const { rows } = await sql<WaitingLane>`
    with recursive lanes (lane) as (
      select min(lane) from deliveries where status = 'pending' and lane > ${after}
      union all
      select (select min(lane) from deliveries where status = 'pending' and lane > lanes.lane)
      from lanes where lanes.lane is not null
    )
    select lane, (select min(d.due_at) from deliveries d where d.status = 'pending' and d.lane = lanes.lane) as "dueAt"
    from lanes where lane is not null limit ${limit}`.execute(executor);
  return rows;
}

interface LaneClaim {
  readonly lane: string;
  /** Names this claim; what is recorded later counts only while the row still carries it. */
  readonly lease: string;
  readonly now: number;
  readonly limit: number;
  /** Of one webhook at the most. */
  readonly perWebhook: number;
  /** Webhooks that have as many requests in flight as they may. */
  readonly butNotOf: readonly string[];
}

/** How many of the oldest due are looked at, so that the backlog of one webhook does not hide the others of its lane. */
const LOOK_AT = 200;

/** Takes deliveries of a lane that are due, oldest first, shared among its webhooks, for a lease. Answers their ids. */
export async function claimLane(tx: Executor, claim: LaneClaim): Promise<string[]> {
  const { lane, lease, now, limit, perWebhook, butNotOf } = claim;
  const others = butNotOf.length === 0 ? sql`` : sql`and not ${among(tx, 'webhook_id', butNotOf)}`;
  const { rows } = await sql<{ id: string }>`
    update deliveries set lease = ${lease}, due_at = ${now + LEASE_MS}
    where id in (
      select id from deliveries
      where status = 'pending' and due_at <= ${now} and id in (
        select id from (
          select id, due_at, row_number() over (partition by webhook_id order by due_at, id) as turn from (
            select id, due_at, webhook_id from deliveries
            where status = 'pending' and lane = ${lane} and due_at <= ${now} ${others}
            order by due_at, id limit ${LOOK_AT}
          ) as oldest
        ) as shared
        where turn <= ${perWebhook} order by due_at, id limit ${limit}
      ) ${forUpdateSkipLocked(tx)}
    )
    returning id`.execute(tx);
  return rows.map((row) => row.id);
}

/** Hands deliveries back that were claimed and not sent. */
export async function handBack(executor: Executor, ids: readonly string[], lease: string, now: number): Promise<void> {
  await executor
    .updateTable('deliveries')
    .set({ lease: null, due_at: now })
    .where(among(executor, 'id', ids))
    .where('lease', '=', lease)
    .where('status', '=', 'pending')
    .execute();
}

/** Hands back all that is claimed: for a start that knows that nobody else works. */
export async function handAllBack(executor: Executor, now: number): Promise<void> {
  await executor
    .updateTable('deliveries')
    .set({ lease: null, due_at: now })
    .where(sql<SqlBool>`status = 'pending' and lease is not null`)
    .execute();
}
