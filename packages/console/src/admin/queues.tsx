import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { HubStatus } from '@moonbase/client/admin';

type Queue = HubStatus['queues'][number];

/** The maximum that the hub counts. */
const MAX_COUNTED = 10_000;
/** The delay after which an overdue item shows that the hub does not keep up. */
const LATE_SECONDS = 60;
const numbers = new Intl.NumberFormat('en');

/** The number of items in each queue, and how long the oldest item has been overdue. */
export function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  return (
    <section aria-label="Queues">
      <Title order={2} mb="xs">
        Queues
      </Title>
      <SimpleGrid component="ul" className="plain-list" cols={{ base: 2, sm: 5 }} spacing="sm">
        {queues.map((queue) => (
          <Paper key={queue.name} component="li" withBorder p="sm" data-queue={queue.name}>
            <Text size="xs" c="dimmed">
              {queue.name}
            </Text>
            <Text fz={24} fw={650} className="figures">
              {numbers.format(queue.waiting)}
              {queue.waiting >= MAX_COUNTED && '+'}
            </Text>
            <Text size="xs" className="figures" c={queue.overdueSeconds > LATE_SECONDS ? 'var(--closed)' : 'dimmed'}>
              {queue.overdueSeconds > 0 ? `overdue for ${lengthOf(queue.overdueSeconds)}` : 'none overdue'}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}

function lengthOf(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}
