import type { AttemptCounts } from '@moonbase/contract/webhooks/webhooks';
import { timestamp } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { beginningOf, countByHour, firstHour, HOURS } from './tally-store.ts';

const NONE = { delivered: 0, retrying: 0, failed: 0, throttled: 0 };

/** Returns the attempts of a webhook, or of all, by hour and outcome: 24 hours, the oldest first, the last one the current hour. */
export async function hoursOf(executor: ReadExecutor, webhookId: string, now: number): Promise<AttemptCounts[]> {
  const first = firstHour(now);
  const counts = await countByHour(executor, webhookId, first);
  const hours = Array.from({ length: HOURS }, (_, at) => ({ from: timestamp(beginningOf(first + at)), ...NONE }));
  for (const { hour, outcome, count } of counts) {
    const counted = hours[hour - first];
    if (counted) counted[outcome] = Number(count);
  }
  return hours;
}
