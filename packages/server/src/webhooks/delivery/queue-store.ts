import { type RawBuilder, sql } from 'kysely';
import { asText, jsonRows } from '../../platform/database/packed/json-rows.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import { type TextList, textList, unnest } from '../../platform/database/where-in.ts';
import { MAX_COUNTED, type QueueState } from '../../platform/queue/state.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { STREAM_LANES } from '../matching/lane.ts';

/** A lane with pending deliveries, and when the first of them is due; null where all of them are in flight. */
export interface WaitingLane {
  readonly lane: string;
  readonly dueAt: number | null;
}

/** Lanes whose `dueAt` is not looked for, because it is known or of no use, and deliveries that do not count. */
interface Ignored {
  readonly lanes: readonly string[];
  readonly inFlight: readonly string[];
}

const NOTHING_IGNORED: Ignored = { lanes: [], inFlight: [] };

/**
 * Returns the lanes with pending deliveries that follow a lane, without those of streams. Costs one index look-up per lane and
 * one per delivery in flight.
 */
export function waitingLanes(
  executor: ReadExecutor,
  after: string,
  limit: number,
  { lanes, inFlight }: Ignored = NOTHING_IGNORED,
): Promise<WaitingLane[]> {
  return lanesAfter(executor, {
    ...{ after, limit },
    ...{ lanes: textList(executor, lanes), inFlight: textList(executor, inFlight) },
  });
}

interface LanesAfter {
  readonly after: string;
  readonly limit: number;
  readonly lanes: TextList;
  readonly inFlight: TextList;
}

const lanesAfter = prepared<LanesAfter>()(
  (executor, argument) => sql<WaitingLane>`
    with recursive lanes (lane) as (
      select (${firstLaneAfter(argument('after'))})
      union all
      select (${firstLaneAfter(sql.ref('lanes.lane'))}) from lanes where lanes.lane is not null
    )
    select lane, case when lane not in ${unnest(executor, argument('lanes'))} then (
      select d.due_at from deliveries d
      where d.status = 'pending' and d.lane = lanes.lane and d.id not in ${unnest(executor, argument('inFlight'))}
      order by d.due_at limit 1
    ) end as "dueAt"
    from lanes where lane is not null limit ${argument('limit')}`,
);

/** Avoids `min(lane)`, for which PostgreSQL reads all pending deliveries where it believes that there are few. */
const firstLaneAfter = (lane: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select lane from deliveries
  where status = 'pending' and lane > ${lane} and lane < ${STREAM_LANES} order by lane, due_at limit 1`;

/** Returns how many deliveries wait in all lanes, and when the oldest of the first 1,000 lanes was due. */
export async function waitingDeliveries(executor: ReadExecutor): Promise<QueueState> {
  const lanes = await waitingLanes(executor, '', 1000);
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from (
      select 1 from deliveries where status = 'pending' and lane < ${STREAM_LANES} limit ${MAX_COUNTED}
    ) as counted
  `.execute(executor);
  const due = lanes.flatMap(({ dueAt }) => dueAt ?? []);
  return { waiting: rows[0]?.waiting ?? 0, oldestDueAt: due.length === 0 ? null : Math.min(...due) };
}

/** How many deliveries of a lane a worker wants to take. */
export interface LaneClaim {
  readonly lane: string;
  readonly limit: number;
  /** The most deliveries of one webhook. */
  readonly perWebhook: number;
  /** The ids of webhooks whose deliveries are left out, as they have enough in flight. */
  readonly exceptWebhooks: readonly string[];
}

/** How many of the oldest due deliveries of a lane are considered; a smaller number would let one webhook hide the others. */
const MAX_CONSIDERED = 200;

/**
 * Returns, by lane, the ids of due deliveries that are not in flight, the oldest first, shared among the webhooks of the lane:
 * one query for all lanes.
 */
export async function nextOfLanes(
  executor: ReadExecutor,
  claims: readonly LaneClaim[],
  { now, inFlight }: { readonly now: number; readonly inFlight: readonly string[] },
): Promise<Map<string, string[]>> {
  const full = claims.flatMap(({ lane, exceptWebhooks }) => exceptWebhooks.map((webhookId) => `${lane} ${webhookId}`));
  const rows = await dueOfLanes(executor, {
    ...{ now, claims: JSON.stringify(claims.map(({ lane, perWebhook }) => [lane, perWebhook])) },
    ...{ full: textList(executor, full), inFlight: textList(executor, inFlight) },
  });
  const due = new Map(rows.map((row) => [row.lane, oldestFirst(parseJson(row.due))]));
  return new Map(claims.map(({ lane, limit }) => [lane, due.get(lane)?.slice(0, limit) ?? []]));
}

type Due = readonly [dueAt: number, id: string];

interface DueOfLanes {
  readonly now: number;
  /** The claims as JSON: an array of arrays of a lane and the most deliveries of one webhook. */
  readonly claims: string;
  /** The webhooks that have enough in flight, each after its lane. */
  readonly full: TextList;
  readonly inFlight: TextList;
}

const dueOfLanes = prepared<DueOfLanes>()(
  (executor, argument) => sql<{ lane: string; due: JsonText<Due[]> }>`
    with claims (lane, per_webhook) as (${claimRows(executor, argument('claims'))})
    select claims.lane, (
      select ${asText(executor, jsonRows<Due>(executor, ['due_at', 'id']))} from (
        select id, due_at, row_number() over (partition by webhook_id order by due_at, id) as turn from (
          select id, due_at, webhook_id from deliveries
          where status = 'pending' and lane = claims.lane and due_at <= ${argument('now')}
            and lane || ' ' || webhook_id not in ${unnest(executor, argument('full'))}
            and id not in ${unnest(executor, argument('inFlight'))}
          order by due_at, id limit ${MAX_CONSIDERED}
        ) as oldest
      ) as shared
      where turn <= claims.per_webhook
    ) as due
    from claims`,
);

const oldestFirst = (due: Due[]): string[] =>
  due.sort(([a, first], [b, second]) => a - b || (first < second ? -1 : 1)).map(([, id]) => id);

/** Returns claims, given as JSON, as rows. */
const claimRows = (executor: ReadExecutor, claims: RawBuilder<string>): RawBuilder<unknown> =>
  isPostgres(executor)
    ? sql`select claim ->> 0, cast(claim ->> 1 as integer) from jsonb_array_elements(${claims}::jsonb) as claimed (claim)`
    : sql`select value ->> 0, value ->> 1 from json_each(${claims})`;

/** After the clock was stepped back: makes pending deliveries due earlier by as much, but not before now. */
export async function shiftDueAfterClockSkew(tx: Executor, now: number, byMs: number): Promise<void> {
  await sql`
    update deliveries set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where status = 'pending' and due_at > ${now}`.execute(tx);
}
