import { Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { listMuted, listWatched, updateMuted, updateWatched } from '@moonbase/client/watching';
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Settings } from './settings.tsx';

interface Item {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly repo?: { readonly type: string } | undefined;
}

export function Watching() {
  const hub = useHub();
  const watched = useEntries(['watched'], (options) => listWatched({ ...hub, ...options }));
  const muted = useEntries(['muted'], (options) => listMuted({ ...hub, ...options }));
  return (
    <Settings tab="Watching">
      <Stack>
        <Items
          title="Watched"
          name="watched"
          {...watched}
          types={['org', 'user', 'repo']}
          none="What is discussed on what you watch comes to your inbox."
          update={(change) => updateWatched({ ...hub, ...change } as Parameters<typeof updateWatched>[0])}
        />
        <Items
          title="Muted"
          name="muted"
          {...muted}
          types={['repo', 'discussion']}
          none="A muted repository tells you of mentions only, a muted thread of nothing."
          update={(change) => updateMuted({ ...hub, ...change } as Parameters<typeof updateMuted>[0])}
        />
      </Stack>
    </Settings>
  );
}

type Change = Partial<Record<'add' | 'delete', { type: string; id: string }[]>>;

function Items(props: {
  readonly title: string;
  readonly name: string;
  readonly query: UseQueryResult<Item[]>;
  readonly more: (() => void) | undefined;
  readonly types: readonly string[];
  readonly none: string;
  readonly update: (change: Change) => Promise<unknown>;
}) {
  const { title, name, query, more, types, none, update } = props;
  const queries = useQueryClient();
  const [type, setType] = useState(types[0] ?? 'repo');
  const [id, setId] = useState('');
  const change = useMutation({
    mutationFn: update,
    onSuccess: () => queries.invalidateQueries({ queryKey: [name] }),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ add: [{ type, id: id.trim() }] }, { onSuccess: () => setId('') });
        }}
      >
        <Group gap="xs" align="flex-end">
          <Select
            label="What"
            w={140}
            allowDeselect={false}
            data={[...types]}
            value={type}
            onChange={(chosen) => chosen && setType(chosen)}
          />
          <TextInput
            label="Name or id"
            className="grows"
            placeholder={type === 'repo' ? 'acme/bert, dataset/acme/letters' : ''}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <Button type="submit" loading={change.isPending} disabled={id.trim() === ''}>
            Add
          </Button>
        </Group>
      </form>
      {change.error && <Failure error={change.error} />}
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="Nothing here">{none}</Empty>
          ) : (
            <ul className="plain-list" aria-label={title}>
              {items.map((item) => (
                <Group key={item.id} component="li" className="row" py={8} px={4} wrap="nowrap">
                  <Badge color="gray">{item.repo?.type ?? item.type}</Badge>
                  <Text size="sm" className="breaks" flex={1}>
                    {item.name}
                  </Text>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Remove ${item.name}`}
                    onClick={() => change.mutate({ delete: [{ type: item.type, id: item.id }] })}
                  >
                    Remove
                  </Button>
                </Group>
              ))}
            </ul>
          )
        }
      </Loaded>
      <More more={more} busy={query.isPlaceholderData} />
    </Paper>
  );
}
