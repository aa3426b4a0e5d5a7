import { Badge, Button, Group, Table, Text } from '@mantine/core';
import type { Webhook } from '@moonbase/client/webhooks';
import { Link } from 'wouter';
import { To } from '../ui/link.tsx';
import { DataTable } from '../ui/lists/data-table.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { resultText, successRate, useFiguresOf } from './figures/figures.ts';
import { ManageMany } from './manage-many.tsx';
import { useWebhooks } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { targetOf, titleOf } from './target.ts';

const SHOWN = 4;
const COLUMNS = [
  'Webhook',
  { name: 'Watched', width: 210 },
  { name: 'State', width: 110 },
  { name: 'Last attempt', width: 150 },
  { name: 'Delivered in 24 hours', width: 120 },
  { name: 'Median response', width: 110 },
  { name: 'Last event', width: 110 },
];

export function Webhooks() {
  const query = useWebhooks();
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <ManageMany webhooks={query.data ?? []} />
          <Button component={Link} href="/webhooks/new">
            New webhook
          </Button>
        </>
      }
    >
      <Loaded query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="No webhooks yet">
              A webhook sends what happens in repositories and discussions to an address of yours, or starts a job.
            </Empty>
          ) : (
            <DataTable label="Webhooks" columns={COLUMNS} stacks>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Page>
  );
}

/** A webhook, and how it fares. */
function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, watched, domains, lastTriggerAt } = webhook;
  const figures = useFiguresOf(id);
  return (
    <Table.Tr>
      <Table.Td>
        <To href={`/webhooks/${id}`} fw={600} size="sm" className="row-title">
          {titleOf(webhook)}
        </To>
        {webhook.name && (
          <Text size="xs" c="dimmed" className="breaks">
            {targetOf(webhook)}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Watched">
        <Group gap={6}>
          {watched.slice(0, SHOWN).map(({ type, name }) => (
            <Badge key={`${type} ${name}`} variant="default" tt="none" fw={500} maw="100%">
              {type}: {name}
            </Badge>
          ))}
          <Text size="xs" c="dimmed">
            {watched.length > SHOWN && `and ${watched.length - SHOWN} more; `}
            {domains.join(', ')}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td data-label="State">
        <StateBadge webhook={webhook} />
      </Table.Td>
      <Table.Td data-label="Last attempt">
        {figures?.lastAttempt && (
          <>
            <Text size="sm" className="figures breaks" lineClamp={2}>
              {resultText(figures.lastAttempt)}
            </Text>
            <Text size="xs" c="dimmed">
              <Time at={figures.lastAttempt.at} />
            </Text>
          </>
        )}
      </Table.Td>
      <Table.Td data-label="Delivered in 24 hours" className="figures">
        {figures && (successRate(figures) ?? 'nothing sent')}
      </Table.Td>
      <Table.Td data-label="Median response" className="figures">
        {figures?.medianMs !== undefined && `${figures.medianMs} ms`}
      </Table.Td>
      <Table.Td data-label="Last event">{lastTriggerAt === undefined ? 'Never' : <Time at={lastTriggerAt} />}</Table.Td>
    </Table.Tr>
  );
}
