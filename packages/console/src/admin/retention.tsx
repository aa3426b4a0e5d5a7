import { Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { getRetention, type Retention } from '@moonbase/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Administration } from './administration.tsx';

/** The maximum that the hub counts. */
const MAX_COUNTED = 10_000;
const numbers = new Intl.NumberFormat('en');

/** How long the hub keeps what: the settings in force, what there is, and what was deleted because of its age. */
export function RetentionPage() {
  const hub = useHub();
  const query = useQuery({
    queryKey: ['admin', 'retention'],
    queryFn: ({ signal }) => getRetention({ ...hub, signal }),
  });
  return (
    <Administration tab="Retention">
      <Text size="sm" c="dimmed" mb="md" className="sentence">
        The values come from the environment of the hub: set the variable and start the hub again to change one. The hub
        looks for what is too old by itself, most of it every hour.
      </Text>
      <Loaded query={query}>
        {(kinds) => (
          <Stack component="ul" className="plain-list" gap="sm" aria-label="What is kept">
            {kinds.map((each) => (
              <Kind key={each.kind} kept={each} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Administration>
  );
}

function Kind({ kept }: { readonly kept: Retention }) {
  return (
    <Paper component="li" withBorder p="md" data-kind={kept.kind}>
      <Title order={2} size="h4">
        {kept.title}
      </Title>
      <Text size="sm" className="sentence">
        {kept.about}
      </Text>
      <Group gap="xs" mt="xs">
        {kept.settings.map(({ name, value }) => (
          <Code key={name}>
            {name}={value ?? ''}
          </Code>
        ))}
        {kept.settings.length === 0 && (
          <Text size="xs" c="dimmed">
            No setting changes this.
          </Text>
        )}
      </Group>
      <Group gap="md" mt="xs">
        <Text size="sm" className="figures">
          {numbers.format(kept.held)}
          {kept.held >= MAX_COUNTED && '+'} now
          {kept.oldestAt !== undefined && (
            <>
              , the oldest from <Time at={kept.oldestAt} />
            </>
          )}
        </Text>
        <Text size="sm" className="figures">
          {numbers.format(kept.deleted)} deleted
          {kept.lastDeletedAt !== undefined && (
            <>
              , the last <Time at={kept.lastDeletedAt} />
            </>
          )}
        </Text>
      </Group>
    </Paper>
  );
}
