import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEntries } from '../ui/entries.ts';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { SearchField } from '../ui/lists/search-field.tsx';
import { useUrlFilters } from '../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../ui/states.tsx';

interface ListRequest {
  readonly search?: string;
  readonly pageSize: number;
  readonly signal: AbortSignal;
}

/** A list with a search field, whose text is kept in the URL. */
export function SearchedList<T>(props: {
  readonly what: string;
  readonly placeholder: string;
  readonly list: (request: ListRequest) => AsyncGenerator<T>;
  readonly row: (entry: T) => ReactNode;
}) {
  const { what, placeholder, list, row } = props;
  const [params, change] = useUrlFilters();
  const search = params.get('search') ?? '';
  const { query, more } = useEntries(['admin', what, search], (options) =>
    list({ ...options, ...(search !== '' && { search }) }),
  );
  return (
    <>
      <Group mb="sm">
        <SearchField
          label={`Search ${what.toLowerCase()}`}
          placeholder={placeholder}
          value={search}
          change={(text) => change({ search: text })}
        />
      </Group>
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={search === '' ? `No ${what.toLowerCase()} yet` : 'Nothing matches'} />
          ) : (
            <PagedList label={what} more={more} busy={query.isPlaceholderData}>
              {entries.map(row)}
            </PagedList>
          )
        }
      </Loaded>
    </>
  );
}
