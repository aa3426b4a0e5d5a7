import { Button, Center, Group, Paper, Text, Title } from '@mantine/core';
import { type Delivery, getDeliveryPage } from '@moonbase/client/webhooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { To } from '../../ui/link.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeBadge } from '../state-badge.tsx';
import { DeliveryFilterBar } from './filter-bar.tsx';
import { useDeliveryFilters } from './filters.ts';
import { ReplayMany } from './replay-many.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 5000;

/** The log of a webhook, newest first, with filters. */
export function DeliveryList({ webhookId }: { readonly webhookId: string }) {
  const hub = useHub();
  const [filters, setFilters] = useDeliveryFilters();
  const query = useInfiniteQuery({
    queryKey: ['webhook', webhookId, 'log', filters],
    queryFn: ({ pageParam, signal }) =>
      getDeliveryPage({ ...hub, webhookId, ...filters, cursor: pageParam || undefined, pageSize: PAGE_SIZE, signal }),
    initialPageParam: '',
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
    // New deliveries are fetched unless the user reads older pages.
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? REFRESH_MS : false),
  });
  const entries = query.data?.pages.flatMap((page) => page.entries);
  return (
    <Paper withBorder>
      <Group px="md" py="sm" justify="space-between">
        <Title order={2}>Deliveries</Title>
        <ReplayMany webhookId={webhookId} filters={filters} />
      </Group>
      <DeliveryFilterBar filters={filters} change={setFilters} />
      {query.error && <Failure error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading rows={8} height={44} />}
      {entries?.length === 0 && (
        <Empty title={Object.keys(filters).length > 0 ? 'Nothing matches' : 'Nothing was sent yet'} />
      )}
      {entries && entries.length > 0 && (
        <ul className="plain-list" aria-label="Deliveries" aria-busy={query.isPlaceholderData}>
          {entries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} webhookId={webhookId} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Center p="sm" className="bar-below">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Older deliveries
          </Button>
        </Center>
      )}
    </Paper>
  );
}

function DeliveryRow(props: { readonly delivery: Delivery; readonly webhookId: string }) {
  const { delivery, webhookId } = props;
  const { id, createdAt, event, repo, status, attempts, responseStatus, error, durationMs, replayOf } = delivery;
  const answer = responseStatus === undefined ? error : `${responseStatus}`;
  return (
    <Group component="li" className="row" px="md" py={8} gap="sm" wrap="nowrap">
      <OutcomeBadge status={status} />
      <To href={`/webhooks/${webhookId}/deliveries/${id}`} size="sm" className="no-wrap">
        {event.scope} {event.action}
      </To>
      <Text size="sm" className="breaks" lineClamp={1} flex={1} visibleFrom="sm">
        {repo.name}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={1} ml="auto" visibleFrom="xs" title={answer} maw={260}>
        {answer}
        {durationMs !== undefined && ` in ${durationMs} ms`}
        {attempts > 1 && `, ${attempts} attempts`}
        {replayOf && ', replay'}
      </Text>
      <Text size="xs" c="dimmed" miw={84} ta="right" ml={{ base: 'auto', xs: 0 }}>
        <Time at={createdAt} />
      </Text>
    </Group>
  );
}
