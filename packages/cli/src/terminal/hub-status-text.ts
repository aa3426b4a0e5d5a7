import type { BackupStatus, HubStatus } from '@moonbase/client/admin';
import { when } from '../commands/parameters.ts';
import { bytesText } from './bytes.ts';
import type { Style } from './style.ts';
import { detailsText, tableText } from './table.ts';

const OUTCOMES = ['delivered', 'retrying', 'failed', 'throttled'] as const;

/** Formats the status of the hub: the process, its queues, the last day, and the receivers with failures, if any. */
export function hubStatusText(status: HubStatus, style: Style): string {
  const { backup, disk } = status;
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
        ...(disk && { disk: () => `${bytesText(disk.freeBytes)} free of ${bytesText(disk.totalBytes)}` }),
        ...(backup && { 'last backup': () => backupText(backup) }),
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

function backupText({ last, place, failures, lastError }: BackupStatus): string {
  const lacks = last && last.faultyFiles > 0 ? `, without ${last.faultyFiles} files that are missing or damaged` : '';
  const failed = failures > 0 ? `; ${failures} failed since: ${lastError ?? 'the log says why'}` : '';
  return `${last ? `${when(last.startedAt)}, ${bytesText(last.bytes)}` : 'none'} in ${place}${lacks}${failed}`;
}
