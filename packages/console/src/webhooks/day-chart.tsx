import { Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { countDeliveries } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Bars } from '../ui/bars.tsx';
import { Loaded } from '../ui/states.tsx';

const OUTCOMES = ['delivered', 'failed', 'pending', 'throttled'] as const;
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The last 24 hours by outcome. */
export function DayChart({ webhookId }: { readonly webhookId: string }) {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['webhook', webhookId, 'counts'],
    queryFn: ({ signal }) => countDeliveries({ ...hub, webhookId, signal }),
    refetchInterval: 60_000,
  });
  return (
    <Paper withBorder p="md" mih={208}>
      <Loaded query={query} loading={<Skeleton height={170} />}>
        {({ hours, complete }) => {
          const sums = OUTCOMES.map((name) => [name, hours.reduce((sum, each) => sum + each[name], 0)] as const);
          return (
            <>
              <Group justify="space-between" mb="sm">
                <Title order={2}>Last 24 hours</Title>
                <Group gap="md">
                  {sums.map(([name, sum]) => (
                    <Group key={name} gap={6}>
                      <span className="swatch" data-outcome={name} />
                      <Text size="sm">
                        {sum} {name}
                      </Text>
                    </Group>
                  ))}
                </Group>
              </Group>
              <Bars
                label={`Deliveries of the last 24 hours: ${sums.map(([name, sum]) => `${sum} ${name}`).join(', ')}`}
                bars={hours.map((each) => ({
                  key: each.from,
                  label: hour.format(new Date(each.from)),
                  parts: OUTCOMES.map((name) => ({ name, count: each[name] })),
                }))}
              />
              {!complete && (
                <Text size="xs" c="dimmed" mt="xs">
                  There are more than 50,000 deliveries; these are the newest.
                </Text>
              )}
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
