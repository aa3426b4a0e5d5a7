import { Badge, Button, Group, Text } from '@mantine/core';
import { type ListedCollection, listCollections } from '@moonbase/client/collections';
import { Link } from 'wouter';
import { Explore } from '../explore/explore.tsx';
import { useHub } from '../session/session.tsx';
import { oneOf } from '../ui/chosen.ts';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { FilterSelect } from '../ui/lists/filter-select.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { SearchField } from '../ui/lists/search-field.tsx';
import { useUrlFilters } from '../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { pathOfCollection, titleOfItem } from './path.ts';

const SORTS = ['trending', 'lastModified', 'upvotes'] as const;
const SORT_NAMES = { trending: 'Trending', lastModified: 'Recently updated', upvotes: 'Most upvotes' } as const;

/** The collections that the user may see, with filters in the URL. */
export function Collections() {
  const hub = useHub();
  const [params, change] = useUrlFilters();
  const q = params.get('search') ?? '';
  const owner = params.get('owner') ?? '';
  const sort = oneOf(SORTS, params.get('sort')) ?? 'trending';
  const { query, more } = useEntries(['collections', q, owner, sort], (options) =>
    listCollections({ ...hub, ...options, sort, ...(q !== '' && { q }), ...(owner !== '' && { owner: [owner] }) }),
  );
  return (
    <Explore
      title="Collections"
      actions={
        <Button component={Link} href="/collections/new">
          New collection
        </Button>
      }
    >
      <Group mb="sm" gap="sm">
        <SearchField
          label="Search collections"
          placeholder="Search by words of the title"
          value={q}
          change={(text) => change({ search: text })}
        />
        <FilterSelect
          label="Order"
          names={SORT_NAMES}
          value={sort}
          atFirst="trending"
          width={180}
          change={(chosen) => change({ sort: chosen })}
        />
      </Group>
      <Loaded query={query}>
        {(collections) =>
          collections.length === 0 ? (
            <Empty title="No collections">
              {q === '' ? 'A collection shows repositories and papers under a title.' : 'Nothing matches.'}
            </Empty>
          ) : (
            <PagedList label="Collections" more={more} busy={query.isPlaceholderData}>
              {collections.map((collection) => (
                <Row key={collection.slug} collection={collection} />
              ))}
            </PagedList>
          )
        }
      </Loaded>
    </Explore>
  );
}

function Row({ collection }: { readonly collection: ListedCollection }) {
  const { slug, title, owner, items, upvotes, lastUpdated } = collection;
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm">
      <div className="fills">
        <To href={pathOfCollection(slug)} className="row-title" fw={600} fz={15}>
          {title}
        </To>
        <Text size="xs" c="dimmed" className="breaks">
          {[owner.name, ...items.map(titleOfItem)].join(' · ')}
        </Text>
      </div>
      {collection.private && <Badge color="gray">private</Badge>}
      {upvotes > 0 && (
        <Text size="xs" c="dimmed" className="figures">
          {upvotes} {upvotes === 1 ? 'upvote' : 'upvotes'}
        </Text>
      )}
      <Text size="xs" c="dimmed" miw={84} ta="right">
        <Time at={lastUpdated} />
      </Text>
    </Group>
  );
}
