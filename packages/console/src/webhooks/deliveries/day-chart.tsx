import { Paper, Skeleton, Text } from '@mantine/core';
import { countDeliveries } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { DayBars } from '../../ui/charts/day-bars.tsx';
import { Loaded } from '../../ui/states.tsx';

/** A chart of the deliveries of the last 24 hours, by outcome. */
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
        {({ hours, complete }) => (
          <>
            <DayBars title="Last 24 hours" hours={hours} />
            {!complete && (
              <Text size="xs" c="dimmed" mt="xs">
                There are more than 50,000 deliveries; these are the newest.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Paper>
  );
}
