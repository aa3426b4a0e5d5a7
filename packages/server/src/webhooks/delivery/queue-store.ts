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

/** What a worker knows of lanes, and the ids of its deliveries in flight, which do not count. */
export interface KnownLanes {
  /** The time from which a delivery of a lane may be due; null where none is looked for. */
  readonly from: ReadonlyMap<string, number | null>;
  readonly inFlight: readonly string[];
}

const NOTHING_KNOWN: KnownLanes = { from: new Map(), inFlight: [] };

/**
 * Returns the lanes that follow a lane: those that are known, and others with pending deliveries, without those of streams. Costs
 * one index look-up per lane and one per delivery in flight.
 */
export function waitingLanes(
  executor: ReadExecutor,
  after: string,
  limit: number,
  { from, inFlight }: KnownLanes = NOTHING_KNOWN,
): Promise<WaitingLane[]> {
  const known = [...from]
    .filter(([lane]) => lane > after)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([lane, since]) => [lane, since ?? UNWANTED]);
  return lanesAfter(executor, {
    ...{ after, limit },
    ...{ known: JSON.stringify(known), inFlight: textList(executor, inFlight) },
  });
}

interface LanesAfter {
  readonly after: string;
  readonly limit: number;
  /** The known lanes as JSON, sorted: an array of arrays of a lane and a due time, or `UNWANTED`. */
  readonly known: string;
  readonly inFlight: TextList;
}

/** Stands for the due time from which nothing is looked for. */
const UNWANTED = -1;

/**
 * Known lanes are passed over in one step: PostgreSQL would walk over the index entries of what they have finished. `position` is
 * that of the known lane that was reached last or comes next.
 */
const lanesAfter = prepared<LanesAfter>()((executor, argument) => {
  const knownAt = (position: RawBuilder<unknown>) => textAt(executor, argument('known'), position);
  const position = sql`lanes.position`;
  const next = sql`(${position} + case when lanes.lane = ${knownAt(position)} then 1 else 0 end)`;
  return sql<WaitingLane>`
    with recursive known (lane, due_from) as (${listed(executor, argument('known'), ['bigint'])}),
    lanes (lane, position) as (
      select cast(${argument('after')} as text), 0
      union all
      select coalesce((
        select d.lane from deliveries d where d.status = 'pending'
        and d.lane > lanes.lane and d.lane < coalesce(${knownAt(next)}, ${STREAM_LANES})
        order by d.lane, d.due_at limit 1
      ), ${knownAt(next)}), ${next}
      from lanes where lanes.lane is not null
    )
    select lanes.lane, case when coalesce(known.due_from, 0) <> ${sql.lit(UNWANTED)} then (
      select d.due_at from deliveries d
      where d.status = 'pending' and d.lane = lanes.lane and d.due_at >= coalesce(known.due_from, 0)
      and d.id not in ${unnest(executor, argument('inFlight'))}
      order by d.due_at limit 1
    ) end as "dueAt"
    from lanes left join known on known.lane = lanes.lane
    where lanes.lane > ${argument('after')} limit ${argument('limit')}`;
});

/** Returns the first text of an array in a JSON array of arrays; null beyond its end. */
const textAt = (
  executor: ReadExecutor,
  json: RawBuilder<string>,
  position: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  isPostgres(executor)
    ? sql`(${json}::jsonb -> ${position} ->> 0)`
    : sql`json_extract(${json}, '$[' || ${position} || '][0]')`;

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
  /** The time from which a delivery may be due. */
  readonly from: number;
}

/** The next deliveries of a lane. */
export interface NextOfLane {
  readonly ids: readonly string[];
  /** The due time of the first delivery that is not in flight, where the whole lane was looked at. */
  readonly oldest: number | null;
}

/** How many of the oldest due deliveries of a lane are considered; a smaller number would let one webhook hide the others. */
const MAX_CONSIDERED = 200;

/**
 * Returns, by lane, the due deliveries that are not in flight, the oldest first, shared among the webhooks of the lane:
 * one query for all lanes.
 */
export async function nextOfLanes(
  executor: ReadExecutor,
  claims: readonly LaneClaim[],
  { now, inFlight }: { readonly now: number; readonly inFlight: readonly string[] },
): Promise<Map<string, NextOfLane>> {
  const full = claims.flatMap(({ lane, exceptWebhooks }) => exceptWebhooks.map((webhookId) => `${lane} ${webhookId}`));
  const rows = await dueOfLanes(executor, {
    ...{ now, claims: JSON.stringify(claims.map(({ lane, perWebhook, from }) => [lane, perWebhook, from])) },
    ...{ full: textList(executor, full), inFlight: textList(executor, inFlight) },
  });
  const limits = new Map(claims.map(({ lane, limit }) => [lane, limit]));
  return new Map(
    rows.map(({ lane, due, oldest }) => [
      lane,
      { ids: oldestFirst(parseJson(due)).slice(0, limits.get(lane)), oldest },
    ]),
  );
}

type Due = readonly [dueAt: number, id: string];

interface DueOfLanes {
  readonly now: number;
  /** The claims as JSON: an array of arrays of a lane, the most deliveries of one webhook, and a due time. */
  readonly claims: string;
  /** The webhooks that have enough in flight, each after its lane. */
  readonly full: TextList;
  readonly inFlight: TextList;
}

const dueOfLanes = prepared<DueOfLanes>()(
  (executor, argument) => sql<{ lane: string; due: JsonText<Due[]>; oldest: number | null }>`
    with claims (lane, per_webhook, due_from) as (${listed(executor, argument('claims'), ['integer', 'bigint'])})
    select claims.lane, case when claims.due_from = 0 then (
      select due_at from deliveries where status = 'pending' and lane = claims.lane
      and id not in ${unnest(executor, argument('inFlight'))} order by due_at limit 1
    ) end as oldest, (
      select ${asText(executor, jsonRows<Due>(executor, ['due_at', 'id']))} from (
        select id, due_at, row_number() over (partition by webhook_id order by due_at, id) as turn from (
          select id, due_at, webhook_id from deliveries
          where status = 'pending' and lane = claims.lane
            and due_at >= claims.due_from and due_at <= ${argument('now')}
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

/** Returns a JSON array of arrays as rows, whose first column is a text. */
function listed(executor: ReadExecutor, json: RawBuilder<string>, types: readonly string[]): RawBuilder<unknown> {
  const value = sql.ref(isPostgres(executor) ? 'listed.item' : 'value');
  const others = types.map((type, at) => sql`cast(${value} ->> ${sql.lit(at + 1)} as ${sql.raw(type)})`);
  const columns = sql.join([sql`${value} ->> 0`, ...others]);
  return isPostgres(executor)
    ? sql`select ${columns} from jsonb_array_elements(${json}::jsonb) as listed (item)`
    : sql`select ${columns} from json_each(${json})`;
}

/** After the clock was stepped back: makes pending deliveries due earlier by as much, but not before now. */
export async function shiftDueAfterClockSkew(tx: Executor, now: number, byMs: number): Promise<void> {
  await sql`
    update deliveries set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where status = 'pending' and due_at > ${now}`.execute(tx);
}
