import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { originOf } from '../../platform/outbound/target-url.ts';
import { type AttemptCounts, countByUrl, resultsOf } from './receiver-store.ts';

const DAY_MS = 86_400_000;
/** The attempts that are counted, by the primary key, which begins with the id of the delivery. */
const MAX_COUNTED = 50_000;
const MAX_RECEIVERS = 50;

/** The failures at one origin, without path and query, which may be secret. */
export interface ReceiverFailures {
  readonly host: string;
  readonly attempts: number;
  readonly failures: number;
  readonly lastError: string;
  readonly lastFailureAt: number;
}

/** Returns the receivers that failed, the worst first, over the attempts for deliveries of the last 24 hours. */
export async function receiverFailures(
  executor: ReadExecutor,
  now: number,
  max = MAX_COUNTED,
): Promise<{ readonly receivers: ReceiverFailures[]; readonly complete: boolean }> {
  const urls = await countByUrl(executor, firstIdAt(now - DAY_MS + 1), max + 1);
  const worst = [...byOrigin(urls)]
    .filter(([, { failures }]) => failures > 0)
    .sort(([, one], [, other]) => other.failures - one.failures || other.attempts - one.attempts)
    .slice(0, MAX_RECEIVERS);
  return {
    receivers: await withErrors(executor, worst),
    complete: urls.reduce((sum, { attempts }) => sum + Number(attempts), 0) <= max,
  };
}

/** Returns the counts of URLs by origin; attempts without a URL, which went to jobs and streams, are left out. */
function byOrigin(urls: readonly (AttemptCounts & { readonly url: string })[]): Map<string, AttemptCounts> {
  const origins = new Map<string, AttemptCounts>();
  for (const { url, attempts, failures, last } of urls) {
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
  receivers: readonly (readonly [origin: string, counts: AttemptCounts])[],
): Promise<ReceiverFailures[]> {
  const keys = receivers.map(([, { last }]) => (last ?? '').split('.'));
  const results = await resultsOf(executor, [...new Set(keys.map(([, deliveryId = '']) => deliveryId))]);
  return receivers.map(([host, counts], at) => {
    const [failedAt, deliveryId, number] = keys[at] ?? [];
    const last = results.find((each) => each.delivery_id === deliveryId && each.number === Number(number));
    return {
      host,
      attempts: counts.attempts,
      failures: counts.failures,
      lastError: last?.error ?? `The receiver answered ${last?.response_status ?? 'nothing'}`,
      lastFailureAt: Number(failedAt),
    };
  });
}
