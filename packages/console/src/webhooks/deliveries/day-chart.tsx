import { Paper, Skeleton } from '@mantine/core';
import { countDeliveries } from '@moonbase/client/webhooks';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { DayBars } from '../../ui/charts/day-bars.tsx';
import { Loaded } from '../../ui/states.tsx';

/** A chart of the attempts of the last 24 hours, by outcome. */
export function DayChart({ webhookId }: { readonly webhookId: string }) {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['webhook', webhookId, 'counts'],
    queryFn: ({ signal }) => countDeliveries({ ...hub, webhookId, signal }),
    refetchInterval: 15_000,
  });
  return (
    <Paper withBorder p="md" mih={226}>
      <Loaded query={query} loading={<Skeleton height={188} />}>
        {({ hours }) => <DayBars title="Attempts of 24 hours" hours={hours} />}
      </Loaded>
    </Paper>
  );
}
