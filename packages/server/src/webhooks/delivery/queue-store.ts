import { type RawBuilder, sql } from 'kysely';

import { asText, jsonRows } from '../../platform/database/json-rows.ts';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { MAX_COUNTED, type QueueState } from '../../platform/queue/state.ts';
import { STREAM_LANES } from '../matching/lane.ts';

/** A lane with deliveries that wait, and when the first of them is due; null where all are underway. */
export interface WaitingLane {
  readonly lane: string;
  readonly dueAt: number | null;
}

/**
 * The next lanes after one, in their order, so many at the most, streams left out: an index look-up each, and one for
 * each of their deliveries that are underway.
 */
export async function waitingLanes(
  executor: ReadExecutor,
  after: string,
  limit: number,
  inFlight: readonly string[],
): Promise<WaitingLane[]> {
  const { rows } = await sql<WaitingLane>`
    with recursive lanes (lane) as (
      select (${firstLaneAfter(sql`${after}`)})
      union all
      select (${firstLaneAfter(sql.ref('lanes.lane'))}) from lanes where lanes.lane is not null
    )
    select lane, (
      select d.due_at from deliveries d
      where d.status = 'pending' and d.lane = lanes.lane and d.id not in ${unnest(executor, inFlight)}
      order by d.due_at limit 1
    ) as "dueAt"
    from lanes where lane is not null limit ${limit}`.execute(executor);
  return rows;
}

/** Not `min(lane)`, for which PostgreSQL reads all that wait where it believes that they are few. */
const firstLaneAfter = (lane: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select lane from deliveries
  where status = 'pending' and lane > ${lane} and lane < ${STREAM_LANES} order by lane, due_at limit 1`;

/** What waits for all receivers together; the oldest among the first 1,000 lanes. */
export async function waitingDeliveries(executor: ReadExecutor): Promise<QueueState> {
  const lanes = await waitingLanes(executor, '', 1000, []);
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from (
      select 1 from deliveries where status = 'pending' and lane < ${STREAM_LANES} limit ${MAX_COUNTED}
    ) as counted
  `.execute(executor);
  const due = lanes.flatMap(({ dueAt }) => dueAt ?? []);
  return { waiting: rows[0]?.waiting ?? 0, oldestDueAt: due.length === 0 ? null : Math.min(...due) };
}

/** What a worker wants of a lane. */
export interface LaneClaim {
  readonly lane: string;
  readonly limit: number;
  /** Of one webhook at the most. */
  readonly perWebhook: number;
  /** Webhooks that have as many requests in flight as they may. */
  readonly butNotOf: readonly string[];
}

/** How many of the oldest due are looked at, so that the backlog of one webhook does not hide the others of its lane. */
const LOOK_AT = 200;

/**
 * By lane the ids of its deliveries that are due and not in flight, oldest first, shared among its webhooks: one query for
 * all lanes.
 */
export async function nextOfLanes(
  executor: ReadExecutor,
  claims: readonly LaneClaim[],
  { now, inFlight }: { readonly now: number; readonly inFlight: readonly string[] },
): Promise<Map<string, string[]>> {
  const full = claims.flatMap(({ lane, butNotOf }) => butNotOf.map((webhookId) => `${lane} ${webhookId}`));
  const { rows } = await sql<{ lane: string; due: string }>`
    with claims (lane, per_webhook) as (${claimed(executor, claims)})
    select claims.lane, (
      select ${asText(executor, jsonRows(executor, ['due_at', 'id']))} from (
        select id, due_at, row_number() over (partition by webhook_id order by due_at, id) as turn from (
          select id, due_at, webhook_id from deliveries
          where status = 'pending' and lane = claims.lane and due_at <= ${now}
            and lane || ' ' || webhook_id not in ${unnest(executor, full)} and id not in ${unnest(executor, inFlight)}
          order by due_at, id limit ${LOOK_AT}
        ) as oldest
      ) as shared
      where turn <= claims.per_webhook
    ) as due
    from claims`.execute(executor);
  const due = new Map(rows.map((row) => [row.lane, oldestFirst(JSON.parse(row.due) as Due[])]));
  return new Map(claims.map(({ lane, limit }) => [lane, due.get(lane)?.slice(0, limit) ?? []]));
}

type Due = readonly [dueAt: number, id: string];

const oldestFirst = (due: Due[]): string[] =>
  due.sort(([a, first], [b, second]) => a - b || (first < second ? -1 : 1)).map(([, id]) => id);

/** The claims as rows of a query, as one parameter. */
function claimed(executor: ReadExecutor, claims: readonly LaneClaim[]): RawBuilder<unknown> {
  const rows = JSON.stringify(claims.map(({ lane, perWebhook }) => [lane, perWebhook]));
  return isPostgres(executor)
    ? sql`select claim ->> 0, cast(claim ->> 1 as integer) from jsonb_array_elements(${rows}::jsonb) as claimed (claim)`
    : sql`select value ->> 0, value ->> 1 from json_each(${rows})`;
}

/** After the clock was put back: what waits to be tried again is due earlier by as much, and not before now. */
export async function shiftDueAfterClockSkew(tx: Executor, now: number, byMs: number): Promise<void> {
  await sql`
    update deliveries set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where status = 'pending' and due_at > ${now}`.execute(tx);
}
