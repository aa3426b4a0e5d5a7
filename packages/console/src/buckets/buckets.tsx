import { Button, Group, Text } from '@mantine/core';
import { listBuckets } from '@moonbase/client/repositories';
import { Link } from 'wouter';
import { Explore } from '../explore/explore.tsx';
import { OwnerSelect, useOwner } from '../jobs/owner.tsx';
import { bytesText } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { RowEnd } from '../ui/lists/row-end.tsx';
import { SearchField } from '../ui/lists/search-field.tsx';
import { useUrlFilters } from '../ui/lists/url-filters.ts';
import { Empty, Loaded, Loading } from '../ui/states.tsx';
import { hrefOfBucket } from './place.ts';

/** The buckets of the user or of a chosen organization; the hub lists those of one owner at a time. */
export function Buckets() {
  const owner = useOwner();
  const [params, change] = useUrlFilters();
  const search = params.get('search') ?? '';
  return (
    <Explore
      title="Buckets"
      actions={
        <Button
          component={Link}
          href={`/new?type=bucket${owner === undefined ? '' : `&owner=${encodeURIComponent(owner)}`}`}
        >
          New bucket
        </Button>
      }
    >
      <Group mb="sm" gap="sm">
        <OwnerSelect />
        <SearchField
          label="Search buckets"
          placeholder="Search by name"
          value={search}
          change={(text) => change({ search: text })}
        />
      </Group>
      {owner === undefined ? <Loading /> : <List owner={owner} search={search} />}
    </Explore>
  );
}

function List({ owner, search }: { readonly owner: string; readonly search: string }) {
  const hub = useHub();
  const { query, more } = useEntries(['buckets', owner, search], (options) =>
    listBuckets({ ...hub, ...options, namespace: owner, ...(search !== '' && { search }) }),
  );
  return (
    <Loaded query={query}>
      {(buckets) =>
        buckets.length === 0 ? (
          <Empty title="Nothing found">
            {search === '' ? `${owner} has no buckets that you may see.` : 'Another search may find more.'}
          </Empty>
        ) : (
          <PagedList label="Buckets" more={more} busy={query.isPlaceholderData}>
            {buckets.map(({ id, private: isPrivate, size, totalFiles, updatedAt }) => (
              <Group key={id} component="li" className="row" px="md" py="sm" gap="sm">
                <div className="fills">
                  <To href={hrefOfBucket({ repo: id, page: 'tree', path: '' })} className="row-title" fw={600} fz={15}>
                    {id}
                  </To>
                  <Text size="xs" c="dimmed" className="figures">
                    {totalFiles.toLocaleString('en')} {totalFiles === 1 ? 'file' : 'files'} · {bytesText(size)}
                  </Text>
                </div>
                <RowEnd visibility={isPrivate ? 'private' : 'public'} updatedAt={updatedAt} />
              </Group>
            ))}
          </PagedList>
        )
      }
    </Loaded>
  );
}
