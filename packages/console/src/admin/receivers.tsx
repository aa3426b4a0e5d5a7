import { Group, Paper, Text, Title } from '@mantine/core';
import type { HubStatus } from '@moonbase/client/admin';
import { Empty } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

type Receiver = HubStatus['day']['receivers'][number];

/** The hosts with failed deliveries, the worst first. */
export function Receivers({ receivers }: { readonly receivers: readonly Receiver[] }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="Receivers that fail">
      <Title order={2} mb="xs">
        Receivers that fail
      </Title>
      {receivers.length === 0 ? (
        <Empty title="All is well">No attempt of the last 24 hours failed.</Empty>
      ) : (
        <ul className="plain-list" aria-label="Receivers that fail">
          {receivers.map((receiver) => (
            <Row key={receiver.host} receiver={receiver} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function Row({ receiver }: { readonly receiver: Receiver }) {
  const { host, attempts, failures, lastError, lastFailureAt } = receiver;
  const share = Math.round((100 * failures) / attempts);
  return (
    <Group component="li" className="row" py={8} px={4} wrap="nowrap">
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {host}
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {lastError}
        </Text>
      </div>
      <div className="timing" aria-hidden="true">
        <div data-outcome="failed" style={{ width: `${share}%` }} />
      </div>
      <Text size="xs" className="figures" ta="right" miw={110}>
        {failures} of {attempts} failed
        <br />
        <Time at={lastFailureAt} />
      </Text>
    </Group>
  );
}
