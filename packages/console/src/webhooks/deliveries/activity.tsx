import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { Webhook } from '@moonbase/client/webhooks';
import { useParams } from 'wouter';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Trail } from '../../ui/trail.tsx';
import { Failing, FigureLine } from '../figures/fares.tsx';
import { useWebhook } from '../queries.ts';
import { EventCatalogue } from '../samples/event-catalogue.tsx';
import { StateBadge } from '../state-badge.tsx';
import { Suspension } from '../suspension.tsx';
import { targetOf, titleOf } from '../target.ts';
import { WebhookActions } from '../webhook-actions.tsx';
import { DayChart } from './day-chart.tsx';
import { DeliveryList } from './list.tsx';

/** The page of a webhook: its settings, its activity and its deliveries. */
export function Activity() {
  const { webhookId = '' } = useParams();
  const query = useWebhook(webhookId);
  return (
    <Page
      title={query.data ? titleOf(query.data) : 'Webhook'}
      tab={query.data ? `Webhook ${titleOf(query.data)}` : 'Webhook'}
      above={<Trail above={[{ href: '/webhooks', name: 'Webhooks' }]}>{webhookId}</Trail>}
      actions={query.data && <WebhookActions webhook={query.data} />}
    >
      <Loaded query={query}>
        {(webhook) => (
          <Stack>
            {webhook.disabled === 'suspended-after-failure' && <Suspension webhookId={webhookId} />}
            <Failing webhookId={webhookId} />
            <Settings webhook={webhook} />
            <DayChart webhookId={webhookId} />
            <DeliveryList webhookId={webhookId} />
            <EventCatalogue />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Settings({ webhook }: { readonly webhook: Webhook }) {
  const { watched, domains, hasSecret } = webhook;
  return (
    <Paper withBorder p="md">
      {webhook.name && (
        <Text size="sm" mb="xs" className="breaks">
          {targetOf(webhook)}
        </Text>
      )}
      {webhook.description && (
        <Text size="sm" mb="xs" className="breaks keeps-lines">
          {webhook.description}
        </Text>
      )}
      <Group gap="xs">
        <StateBadge webhook={webhook} />
        {watched.map(({ type, name }) => (
          <Badge key={`${type} ${name}`} variant="default" tt="none" fw={500} className="breaks">
            {type}: {name}
          </Badge>
        ))}
        <Text size="sm" c="dimmed">
          {domains.join(' and ')} events, {hasSecret ? 'signed with a secret' : 'without a secret'}
        </Text>
      </Group>
      <FigureLine webhookId={webhook.id} />
    </Paper>
  );
}
