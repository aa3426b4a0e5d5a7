import type { HubStatus } from '@moonbase/client/admin';
import { when } from '../commands/parameters.ts';
import type { Style } from './style.ts';
import { detailsText, tableText } from './table.ts';

const OUTCOMES = ['delivered', 'retrying', 'failed', 'throttled'] as const;

/** Formats the status of the hub: the process, its queues, the last day, and the receivers with failures, if any. */
export function hubStatusText(status: HubStatus, style: Style): string {
  const { hours, receivers, suspendedWebhooks, failingWebhooks } = status.day;
  const sums = OUTCOMES.map((name) => `${hours.reduce((sum, hour) => sum + hour[name], 0)} ${name}`);
  const parts = [
    detailsText(
      status,
      {
        version: ({ version, schema, engine }) => `${version}, schema ${schema}, on ${engine}`,
        since: ({ startedAt }) => when(startedAt),
        'last 24 hours': () => sums.join(', '),
        'failing webhooks': () => failingWebhooks,
        'suspended webhooks': () => suspendedWebhooks,
        'dead letters': ({ deadLetters }) => deadLetters,
      },
      style,
    ),
    tableText(
      status.queues,
      {
        queue: ({ name }) => name,
        waiting: ({ waiting }) => waiting,
        'overdue, s': ({ overdueSeconds }) => overdueSeconds,
        'oldest due': ({ oldestDueAt }) => when(oldestDueAt),
      },
      style,
    ),
  ];
  if (receivers.length > 0)
    parts.push(
      tableText(
        receivers,
        {
          receiver: ({ host }) => host,
          attempts: ({ attempts }) => attempts,
          failures: ({ failures }) => failures,
          'last failure': ({ lastFailureAt }) => when(lastFailureAt),
          'last error': ({ lastError }) => lastError,
        },
        style,
      ),
    );
  return parts.join('\n');
}
