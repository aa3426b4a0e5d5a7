import { sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { originOf } from '../../platform/outbound/target-url.ts';

const DAY_MS = 86_400_000;
/** So many attempts are looked at at the most, by the primary key: it begins with the id of the delivery. */
const MAX_LOOKED_AT = 50_000;
const MAX_RECEIVERS = 50;
/** So many webhooks are looked at for suspended ones: no index has them. */
const MAX_WEBHOOKS = 100_000;

/** What failed at one origin. No path and no query: they may be secret. */
export interface ReceiverFailures {
  readonly host: string;
  readonly attempts: number;
  readonly failures: number;
  readonly lastError: string;
  readonly lastFailureAt: number;
}

interface Counted {
  readonly attempts: number;
  readonly failures: number;
  /** When it last failed and the key of that attempt, as a text that sorts by the time; null where nothing did. */
  readonly last: string | null;
}

/** The receivers that failed, the worst first, over all attempts for deliveries of the last 24 hours. */
export async function receiverFailures(
  executor: ReadExecutor,
  now: number,
  most = MAX_LOOKED_AT,
): Promise<{ readonly receivers: ReceiverFailures[]; readonly complete: boolean }> {
  const { rows } = await sql<Counted & { url: string }>`
    select url, count(*) as attempts, sum(failed) as failures, max(case when failed = 1 then mark end) as last
    from (
      select case when url like 'http%' then url else '' end as url,
        case when response_status between 200 and 299 then 0 else 1 end as failed,
        created_at || '.' || delivery_id || '.' || number as mark
      from delivery_attempts
      where delivery_id >= ${firstIdAt(now - DAY_MS + 1)} order by delivery_id desc limit ${most + 1}
    ) as newest
    group by url`.execute(executor);
  const worst = [...byOrigin(rows)]
    .filter(([, { failures }]) => failures > 0)
    .sort(([, one], [, other]) => other.failures - one.failures || other.attempts - one.attempts)
    .slice(0, MAX_RECEIVERS);
  return {
    receivers: await withErrors(executor, worst),
    complete: rows.reduce((sum, { attempts }) => sum + Number(attempts), 0) <= most,
  };
}

/** What went to jobs and to streams has no URL here, and is left out. */
function byOrigin(rows: readonly (Counted & { readonly url: string })[]): Map<string, Counted> {
  const origins = new Map<string, Counted>();
  for (const { url, attempts, failures, last } of rows) {
    if (url === '') continue;
    const origin = originOf(url);
    const before = origins.get(origin);
    origins.set(origin, {
      attempts: Number(attempts) + (before?.attempts ?? 0),
      failures: Number(failures) + (before?.failures ?? 0),
      last: later(last, before?.last ?? null),
    });
  }
  return origins;
}

const later = (one: string | null, other: string | null): string | null => ((one ?? '') > (other ?? '') ? one : other);

async function withErrors(
  executor: ReadExecutor,
  receivers: readonly (readonly [string, Counted])[],
): Promise<ReceiverFailures[]> {
  const keys = receivers.map(([, { last }]) => (last ?? '').split('.'));
  const ids = [...new Set(keys.map(([, id = '']) => id))];
  const attempts = await executor
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'response_status', 'error'])
    .where(whereIn(executor, 'delivery_id', ids))
    .execute();
  return receivers.map(([host, counts], at) => {
    const [failedAt, id, number] = keys[at] ?? [];
    const last = attempts.find((each) => each.delivery_id === id && each.number === Number(number));
    return {
      host,
      attempts: counts.attempts,
      failures: counts.failures,
      lastError: last?.error ?? `The receiver answered ${last?.response_status ?? 'nothing'}`,
      lastFailureAt: Number(failedAt),
    };
  });
}

/** Suspended webhooks, among so many that the table is not read through. */
export async function countSuspended(executor: ReadExecutor): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select state from webhooks limit ${MAX_WEBHOOKS}) as looked
    where state = 'suspended'`.execute(executor);
  return Number(rows[0]?.count ?? 0);
}
