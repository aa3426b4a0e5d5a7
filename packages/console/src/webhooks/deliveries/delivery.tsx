import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type DeliveryDetails, getDelivery, replayDelivery } from '@moonbase/client/webhooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { Json } from '../../ui/json.tsx';
import { To } from '../../ui/link.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Trail } from '../../ui/trail.tsx';
import { webhookKey } from '../queries.ts';
import { OutcomeBadge } from '../state-badge.tsx';
import { Attempts } from './attempts.tsx';

/** The page of a delivery: its payload and its attempts. */
export function Delivery() {
  const { webhookId = '', logId = '' } = useParams();
  const one = { ...useHub(), webhookId, logId };
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [...webhookKey(webhookId), 'delivery', logId],
    queryFn: ({ signal }) => getDelivery({ ...one, signal }),
    refetchInterval: ({ state }) => (state.data?.nextAttemptAt ? 2000 : false),
  });
  const replay = useMutation({
    mutationFn: () => replayDelivery(one),
    onSettled: () => queries.invalidateQueries({ queryKey: webhookKey(webhookId) }),
  });
  const answer = replay.data;
  return (
    <Page
      title={query.data ? `${query.data.event.scope} ${query.data.event.action}` : 'Delivery'}
      tab="Delivery"
      above={
        <Trail
          above={[
            { href: '/webhooks', name: 'Webhooks' },
            { href: `/webhooks/${webhookId}`, name: webhookId },
          ]}
        >
          {logId}
        </Trail>
      }
      actions={
        query.data && (
          <Button loading={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        )
      }
    >
      <Outcome
        of={answer ?? replay.error}
        error={replay.error}
        text={answer && (answer.status === 0 ? `No answer: ${answer.error}` : `The receiver answered ${answer.status}`)}
        good={answer !== undefined && answer.status >= 200 && answer.status < 300}
      />
      <Loaded query={query}>
        {(delivery) => (
          <Stack>
            <Summary delivery={delivery} webhookId={webhookId} />
            <section aria-label="Attempts">
              <Title order={2} mb="xs">
                Attempts
              </Title>
              <Attempts delivery={delivery} />
            </section>
            <div>
              <Title order={2}>Payload</Title>
              <Text size="sm" c="dimmed" mb="xs">
                The body of each attempt.
              </Text>
              <Json value={delivery.payload} label="Payload" />
            </div>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Summary(props: { readonly delivery: DeliveryDetails; readonly webhookId: string }) {
  const { delivery, webhookId } = props;
  const { status, repo, createdAt, nextAttemptAt, replayOf, jobId, error } = delivery;
  return (
    <Paper withBorder p="md">
      <Group gap="sm">
        <OutcomeBadge status={status} />
        <Text size="sm" className="breaks">
          {repo.type} {repo.name}, <Time at={createdAt} />
        </Text>
        {nextAttemptAt && (
          <Text size="sm" c="dimmed">
            next attempt <Time at={nextAttemptAt} />
          </Text>
        )}
        {replayOf && (
          <To size="sm" href={`/webhooks/${webhookId}/deliveries/${replayOf}`}>
            replay of {replayOf}
          </To>
        )}
        {jobId && (
          <Text size="sm" c="dimmed">
            job {jobId}
          </Text>
        )}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)" className="breaks">
            {error}
          </Text>
        )}
      </Group>
    </Paper>
  );
}
