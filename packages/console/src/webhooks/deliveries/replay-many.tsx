import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { cancelReplay, getReplay, replayDeliveries, type WebhookReplay } from '@moonbase/client/webhook-replays';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import type { Filters } from './filters.ts';

/** Replays all deliveries that match the filters, after showing their number. */
export function ReplayMany({ webhookId, filters }: { readonly webhookId: string; readonly filters: Filters }) {
  const [opened, setOpened] = useState(false);
  if (isOnItsWay(filters.status)) return null;
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
        {Object.keys(filters).length > 0 ? 'Replay these' : 'Replay all'}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Replay deliveries"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Replay webhookId={webhookId} filters={filters} close={() => setOpened(false)} />
      </Modal>
    </>
  );
}

const isOnItsWay = (status: Filters['status']): status is 'pending' | 'retrying' =>
  status === 'pending' || status === 'retrying';

function Replay(props: { readonly webhookId: string; readonly filters: Filters; readonly close: () => void }) {
  const { webhookId, filters, close } = props;
  const one = { ...useHub(), webhookId };
  const { status, ...rest } = filters;
  // Deliveries that are on their way are sent anyway, so they are not replayed.
  const request = { ...one, ...rest, status: isOnItsWay(status) ? undefined : status };
  const count = useQuery({
    queryKey: ['webhook', webhookId, 'dry-run', filters],
    queryFn: ({ signal }) => replayDeliveries({ ...request, dryRun: true, signal }),
    gcTime: 0,
    staleTime: 0,
  });
  const start = useMutation({ mutationFn: () => replayDeliveries(request) });
  if (start.data && 'id' in start.data) return <Progressing webhookId={webhookId} replay={start.data} close={close} />;
  return (
    <Loaded query={count}>
      {({ matched }) => (
        <Stack>
          <Text size="sm">
            {matched === 0
              ? 'Nothing matches. Pending and retrying deliveries are already on their way.'
              : `${matched} ${matched === 1 ? 'delivery is' : 'deliveries are'} sent again, oldest first, to the current target.`}
          </Text>
          {start.error && <Failure error={start.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button disabled={matched === 0} loading={start.isPending} onClick={() => start.mutate()}>
              Replay {matched}
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}

function Progressing(props: {
  readonly webhookId: string;
  readonly replay: WebhookReplay;
  readonly close: () => void;
}) {
  const { webhookId, replay, close } = props;
  const one = { ...useHub(), webhookId, replayId: replay.id };
  const queries = useQueryClient();
  const { data = replay } = useQuery({
    queryKey: ['replay', replay.id],
    queryFn: ({ signal }) => getReplay({ ...one, signal }),
    refetchInterval: ({ state }) => (state.data && state.data.status !== 'running' ? false : 500),
  });
  const { status, matched, replayed } = data;
  useEffect(() => {
    if (status !== 'running') void queries.invalidateQueries({ queryKey: ['webhook', webhookId] });
  }, [status, queries, webhookId]);
  const cancel = useMutation({ mutationFn: () => cancelReplay(one) });
  return (
    <Stack>
      <Text size="sm" role="status">
        {status === 'running'
          ? `${replayed} of ${matched} are in the queue.`
          : `${replayed} of ${matched} were put into the queue${status === 'canceled' ? ' before it was cancelled' : ''}.`}
      </Text>
      <Progress value={matched === 0 ? 100 : (100 * replayed) / matched} aria-label="Replayed" />
      {cancel.error && <Failure error={cancel.error} />}
      <Group justify="flex-end">
        {status === 'running' && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Stop
          </Button>
        )}
        <Button onClick={close}>Close</Button>
      </Group>
    </Stack>
  );
}
