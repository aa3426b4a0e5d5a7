import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { getCollection, upvoteCollection, withdrawCollectionUpvote } from '@moonbase/client/collections';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Trail } from '../ui/trail.tsx';
import { AddItem } from './add-item.tsx';
import { CollectionMenu } from './collection-menu.tsx';
import { useGroupOf } from './group-of.ts';
import { ItemRow } from './item-row.tsx';

/** A collection: its items in the order of their owner, and the actions on it. */
export function CollectionPage() {
  const { namespace = '', slug = '' } = useParams();
  const one = { ...useHub(), namespace, slug };
  const query = useQuery({
    queryKey: ['collection', namespace, slug],
    queryFn: ({ signal }) => getCollection({ ...one, signal }),
  });
  const { data } = query;
  const { act, busy, error } = useAct(['collection', namespace, slug], ['collections']);
  const groupId = useGroupOf(data?.owner.name ?? namespace, data?.slug);
  const mayChange = data?.isEditableByUser ?? false;
  return (
    <Page
      title={data?.title ?? slug}
      above={
        <Trail
          above={[
            { href: '/collections', name: 'Collections' },
            { href: `/collections?owner=${encodeURIComponent(namespace)}`, name: namespace },
          ]}
        >
          {data?.title ?? slug}
        </Trail>
      }
      actions={
        data && (
          <>
            <Button
              variant="default"
              loading={busy}
              aria-pressed={data.isUpvotedByUser}
              onClick={() => act(() => (data.isUpvotedByUser ? withdrawCollectionUpvote : upvoteCollection)(one))}
            >
              {data.isUpvotedByUser ? 'Upvoted' : 'Upvote'} {data.upvotes > 0 && data.upvotes}
            </Button>
            {mayChange && <CollectionMenu of={{ namespace, slug }} collection={data} groupId={groupId} />}
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ description, items, lastUpdated, ...collection }) => (
          <Stack>
            <Group gap="xs">
              {collection.private && <Badge color="gray">private</Badge>}
              <Text size="sm" c="dimmed">
                Updated <Time at={lastUpdated} />
              </Text>
            </Group>
            {description !== undefined && <Text className="breaks">{description}</Text>}
            <Refused error={error} mt="0" />
            {items.length === 0 ? (
              <Empty title="This collection is empty" />
            ) : (
              <Paper withBorder>
                <ol className="plain-list" aria-label="Items">
                  {items.map((item, at) => (
                    <ItemRow
                      key={item._id}
                      of={{ namespace, slug }}
                      item={item}
                      before={items[at - 1]?.position}
                      after={items[at + 1]?.position}
                      mayChange={mayChange}
                    />
                  ))}
                </ol>
              </Paper>
            )}
            {mayChange && <AddItem of={{ namespace, slug }} />}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
