import type { WebhookFigures as Shown } from '@moonbase/contract/webhooks/figures';
import { type Clock, timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { filterReached } from '../subscriptions/authority.ts';
import { listFaring } from '../subscriptions/store.ts';
import { medianOf } from './latency.ts';
import { countByLatency, firstHour } from './tally-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

export type WebhookFigures = ReturnType<typeof createWebhookFigures>;

type Faring = Awaited<ReturnType<typeof listFaring>>[number];
type Counts = Awaited<ReturnType<typeof countByLatency>>;

/** Tells how the webhooks of a user fare. */
export function createWebhookFigures({ database: { read }, clock }: Dependencies) {
  return {
    async list(caller: Caller): Promise<Shown[]> {
      const { principal } = caller;
      const webhooks = await filterReached(read, principal, await listFaring(read, principal.userId));
      const ids = webhooks.map(({ id }) => id);
      const counts = new Map<string, Counts>(ids.map((id) => [id, []]));
      for (const row of await countByLatency(read, ids, firstHour(clock.now()))) counts.get(row.webhookId)?.push(row);
      return webhooks.map((webhook) => present(webhook, counts.get(webhook.id) ?? []));
    },
  };
}

function present({ id, state, failing_since, last_attempt, suspension }: Faring, counts: Counts): Shown {
  const medianMs = medianOf(counts);
  return {
    id,
    attempts: sumOf(counts),
    delivered: sumOf(counts.filter(({ outcome }) => outcome === 'delivered')),
    ...(medianMs !== undefined && { medianMs }),
    ...(last_attempt !== null && { lastAttempt: withTime(parseJson(last_attempt)) }),
    ...(state === 'enabled' && failing_since !== null && { failingSince: timestamp(failing_since) }),
    ...(state === 'suspended' && suspension !== null && { suspension: withTimes(parseJson(suspension)) }),
  };
}

const sumOf = (counts: Counts): number => counts.reduce((sum, { count }) => sum + count, 0);

const withTime = <T extends { readonly at: number }>(stored: T) => ({ ...stored, at: timestamp(stored.at) });

const withTimes = <T extends { readonly at: number; readonly failingSince: number }>(stored: T) => ({
  ...withTime(stored),
  failingSince: timestamp(stored.failingSince),
});
