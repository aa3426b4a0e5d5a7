import { sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';

/** The numbers of attempts to reach a receiver, and of those that failed. */
export interface AttemptCounts {
  readonly attempts: number;
  readonly failures: number;
  /** The latest failure as `time.delivery.number`, a text that sorts by time; null where no attempt failed. */
  readonly last: string | null;
}

/** Returns how many attempts went to each URL, among the newest ones from a delivery on; jobs and streams count as no URL. */
export async function countByUrl(
  executor: ReadExecutor,
  fromDelivery: string,
  limit: number,
): Promise<(AttemptCounts & { readonly url: string })[]> {
  const { rows } = await sql<AttemptCounts & { url: string }>`
    select url, count(*) as attempts, sum(failed) as failures, max(case when failed = 1 then mark end) as last
    from (
      select case when url like 'http%' then url else '' end as url,
        case when response_status between 200 and 299 then 0 else 1 end as failed,
        created_at || '.' || delivery_id || '.' || number as mark
      from delivery_attempts
      where delivery_id >= ${fromDelivery} order by delivery_id desc limit ${limit}
    ) as newest
    group by url`.execute(executor);
  return rows;
}

/** Returns the results of all attempts of some deliveries. */
export const resultsOf = (executor: ReadExecutor, deliveryIds: readonly string[]) =>
  executor
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'response_status', 'error'])
    .where(whereIn(executor, 'delivery_id', deliveryIds))
    .execute();

/** The webhooks that are searched for failing and suspended ones: no index has these. */
const MAX_WEBHOOKS = 100_000;

/** Returns how many webhooks are suspended, and how many enabled ones fail, among a bounded number of webhooks. */
export async function countUnwell(
  executor: ReadExecutor,
): Promise<{ readonly suspendedWebhooks: number; readonly failingWebhooks: number }> {
  const rows = await executor
    .selectFrom(executor.selectFrom('webhooks').select(['state', 'failing_since']).limit(MAX_WEBHOOKS).as('searched'))
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .where((eb) => eb.or([eb('state', '=', 'suspended'), eb('failing_since', 'is not', null)]))
    .groupBy('state')
    .execute();
  const countOf = (state: string) => Number(rows.find((row) => row.state === state)?.count ?? 0);
  return { suspendedWebhooks: countOf('suspended'), failingWebhooks: countOf('enabled') };
}
