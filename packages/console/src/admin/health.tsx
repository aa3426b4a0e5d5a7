import { Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { type BackupStatus, getHubStatus, type HubStatus } from '@moonbase/client/admin';
import { useQuery } from '@tanstack/react-query';
import { bytesText } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import { DayBars } from '../ui/charts/day-bars.tsx';
import { To } from '../ui/link.tsx';
import { Failure, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';
import { Queues } from './queues.tsx';
import { Receivers } from './receivers.tsx';

const EVERY_MS = 5000;
/** The share of the disk below which it counts as nearly full. */
const LOW_SHARE = 0.1;

/** The status of the hub, updated automatically. */
export function Health() {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['admin', 'status'],
    queryFn: ({ signal }) => getHubStatus({ ...hub, signal }),
    refetchInterval: EVERY_MS,
  });
  return (
    <Administration tab="Health">
      <Loaded query={query} loading={<Loading />}>
        {(status) => (
          <Stack>
            <About status={status} />
            {status.disk && <Disk disk={status.disk} />}
            {status.backup && <LastBackup backup={status.backup} />}
            <Queues queues={status.queues} />
            {status.deadLetters > 0 && <SetAside count={status.deadLetters} />}
            <Paper withBorder p="md" mih={226} component="section" aria-label="Deliveries">
              <DayBars title="Attempts of 24 hours" hours={status.day.hours} />
              <Text size="xs" c="dimmed" mt="xs">
                {unwell(status.day)}
                {!status.day.complete && ' Only the newest 50,000 attempts count for the receivers below.'}
              </Text>
            </Paper>
            <Receivers receivers={status.day.receivers} />
            {query.error && <Failure error={query.error} retry={query.refetch} />}
          </Stack>
        )}
      </Loaded>
    </Administration>
  );
}

function SetAside({ count }: { readonly count: number }) {
  return (
    <Text size="sm" c="var(--closed)">
      {count} {count === 1 ? 'item' : 'items'} failed too often:{' '}
      <To href="/admin/dead-letters" size="sm">
        dead letters
      </To>
    </Text>
  );
}

function unwell({ failingWebhooks, suspendedWebhooks }: HubStatus['day']): string {
  if (failingWebhooks + suspendedWebhooks === 0) return 'No webhook is failing or suspended.';
  const webhooks = (count: number) => `${count} ${count === 1 ? 'webhook' : 'webhooks'}`;
  return `Failing: ${webhooks(failingWebhooks)}. Suspended: ${webhooks(suspendedWebhooks)}.`;
}

function About({ status: { version, schema, engine, startedAt } }: { readonly status: HubStatus }) {
  return (
    <Text size="sm" c="dimmed">
      Moonbase {version}, schema {schema}, on {engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'}; started{' '}
      <Time at={startedAt} />
    </Text>
  );
}

function Disk({ disk: { freeBytes, totalBytes } }: { readonly disk: NonNullable<HubStatus['disk']> }) {
  const isLow = freeBytes < totalBytes * LOW_SHARE;
  return (
    <Text size="sm" c={isLow ? 'var(--closed)' : 'dimmed'}>
      {isLow && 'The disk is nearly full: '}
      {bytesText(freeBytes)} free of {bytesText(totalBytes)} on the disk of the data folder
    </Text>
  );
}

function LastBackup({ backup: { last, failures, lastError } }: { readonly backup: BackupStatus }) {
  return (
    <Text size="sm" c={failures > 0 || !last ? 'var(--closed)' : 'dimmed'}>
      {last ? (
        <>
          Last backup <Time at={last.startedAt} />
        </>
      ) : (
        'There is no backup yet'
      )}
      {failures > 0 && `; ${failures} failed since: ${lastError ?? 'the log says why'}`}
    </Text>
  );
}

/** A placeholder with the height of the content. */
function Loading() {
  return (
    <Stack aria-busy="true" aria-label="Loading">
      <Skeleton height={20} />
      <Skeleton height={20} />
      <Group grow>
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} height={118} />
        ))}
      </Group>
      <Skeleton height={238} />
      <Skeleton height={280} />
    </Stack>
  );
}
