import { Badge, Button, Group, Paper, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { listMuted, listWatched, updateMuted, updateWatched } from '@moonbase/client/watching';
import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { oneOf } from '../ui/chosen.ts';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { Empty, Failure, Loaded, Loading } from '../ui/states.tsx';
import { Settings } from './settings.tsx';

interface Item<T> {
  readonly id: string;
  readonly type: T;
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
          none="Discussions of what you watch come to your inbox."
          update={(change) => updateWatched({ ...hub, ...change })}
        />
        <Items
          title="Muted"
          name="muted"
          {...muted}
          types={['repo', 'discussion']}
          none="A muted repository notifies you of mentions only, a muted thread of nothing."
          update={(change) => updateMuted({ ...hub, ...change })}
        />
      </Stack>
    </Settings>
  );
}

type Change<T> = Partial<Record<'add' | 'delete', { type: T; id: string }[]>>;

function Items<T extends string>(props: {
  readonly title: string;
  readonly name: string;
  readonly query: UseQueryResult<Item<T>[]>;
  readonly more: (() => void) | undefined;
  readonly types: readonly [T, ...T[]];
  readonly none: string;
  readonly update: (change: Change<T>) => Promise<unknown>;
}) {
  const { title, name, query, more, types, none, update } = props;
  const queries = useQueryClient();
  const [type, setType] = useState<T>(types[0]);
  const [id, setId] = useState('');
  const [removed, setRemoved] = useState<Item<T>>();
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
          setRemoved(undefined);
          change.mutate({ add: [{ type, id: id.trim() }] }, { onSuccess: () => setId('') });
        }}
      >
        <Group gap="xs" align="flex-end">
          <Select
            label="Type"
            w={140}
            allowDeselect={false}
            data={[...types]}
            value={type}
            onChange={(text) => setType(oneOf(types, text) ?? type)}
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
      <Loaded query={query} loading={<Loading rows={1} height={220} />}>
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
                    onClick={() => {
                      setRemoved(item);
                      change.mutate({ delete: [{ type: item.type, id: item.id }] });
                    }}
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
      <Outcome
        of={removed && change.data}
        error={null}
        text={`${removed?.name} is no longer ${name}.`}
        good
        undo={
          removed &&
          (() => {
            setRemoved(undefined);
            change.mutate({ add: [{ type: removed.type, id: removed.id }] });
          })
        }
      />
    </Paper>
  );
}
