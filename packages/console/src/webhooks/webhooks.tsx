import { Badge, Box, Button, Group, Paper, Text } from '@mantine/core';
import type { Webhook } from '@moonbase/client/webhooks';
import { Link } from 'wouter';
import { To } from '../ui/link.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Fares } from './figures/fares.tsx';
import { ManageMany } from './manage-many.tsx';
import { useWebhooks } from './queries.ts';
import { StateBadge } from './state-badge.tsx';
import { targetOf, titleOf } from './target.ts';

const SHOWN = 4;

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
            <Paper withBorder component="ul" className="plain-list" aria-label="Webhooks">
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </Paper>
          )
        }
      </Loaded>
    </Page>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, watched, domains, lastTriggerAt } = webhook;
  return (
    <Group component="li" className="row" px="md" py="sm" gap="md" wrap="nowrap" align="flex-start">
      <Box flex={1} miw={0}>
        <To href={`/webhooks/${id}`} fw={600} className="row-title">
          {titleOf(webhook)}
        </To>
        {webhook.name && (
          <Text size="xs" c="dimmed" className="breaks">
            {targetOf(webhook)}
          </Text>
        )}
        <Group gap={6} mt={6}>
          {watched.slice(0, SHOWN).map(({ type, name }) => (
            <Badge key={`${type} ${name}`} variant="default" tt="none" fw={500}>
              {type}: {name}
            </Badge>
          ))}
          {watched.length > SHOWN && (
            <Text size="xs" c="dimmed">
              and {watched.length - SHOWN} more
            </Text>
          )}
          <Text size="xs" c="dimmed">
            {domains.join(', ')}
          </Text>
        </Group>
      </Box>
      <Box ta="right">
        <StateBadge webhook={webhook} />
        <Fares webhookId={id} />
        <Text size="xs" c="dimmed" mt={6}>
          {lastTriggerAt === undefined ? 'never triggered' : <Time at={lastTriggerAt} />}
        </Text>
      </Box>
    </Group>
  );
}
