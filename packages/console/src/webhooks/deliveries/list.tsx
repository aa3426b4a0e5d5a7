import { Button, Center, Group, Paper, Table, Text, Title } from '@mantine/core';
import { type Delivery, getDeliveryPage } from '@moonbase/client/webhooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { To } from '../../ui/link.tsx';
import { PlainTable } from '../../ui/lists/data-table.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { OutcomeBadge } from '../state-badge.tsx';
import { DeliveryFilterBar } from './filter-bar.tsx';
import { useDeliveryFilters } from './filters.ts';
import { ReplayMany } from './replay-many.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 5000;
const COLUMNS = [
  { name: 'Event', width: 200 },
  { name: 'Outcome', width: 120 },
  'Repository',
  { name: 'Result', width: 190 },
  { name: 'Duration', width: 100 },
  { name: 'Attempts', width: 90 },
  { name: 'Created', width: 110 },
];

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
    <Paper withBorder aria-busy={query.isPlaceholderData}>
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
        <PlainTable label="Deliveries" columns={COLUMNS} stacks>
          {entries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} webhookId={webhookId} />
          ))}
        </PlainTable>
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
  const result = responseStatus ?? error;
  return (
    <Table.Tr>
      <Table.Td>
        <To href={`/webhooks/${webhookId}/deliveries/${id}`} size="sm" className="breaks">
          {event.scope} {event.action}
        </To>
        {replayOf && (
          <Text size="xs" c="dimmed">
            replay
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Outcome">
        <OutcomeBadge status={status} />
      </Table.Td>
      <Table.Td data-label="Repository" className="breaks">
        {repo.name}
      </Table.Td>
      <Table.Td data-label="Result" className="figures">
        {result !== undefined && (
          <Text size="sm" className="breaks" lineClamp={2} title={error}>
            {result}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Duration" className="figures no-wrap">
        {durationMs !== undefined && `${durationMs} ms`}
      </Table.Td>
      <Table.Td data-label="Attempts" className="figures">
        {attempts}
      </Table.Td>
      <Table.Td data-label="Created" className="no-wrap">
        <Time at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}
