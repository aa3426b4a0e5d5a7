import { Button, CloseButton, Group, Text } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { oneOf } from '../ui/chosen.ts';
import { useEntries } from '../ui/entries.ts';
import { CloseIcon } from '../ui/icons.tsx';
import { FilterSelect } from '../ui/lists/filter-select.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { SearchField } from '../ui/lists/search-field.tsx';
import { useUrlFilters } from '../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Explore } from './explore.tsx';
import { KINDS, type Kind, SORT_NAMES, SORTS, TAG_TYPES } from './kinds.ts';
import { RepoRow } from './repo-row.tsx';
import { TagFilters } from './tag-filters.tsx';

/** The list of all models, datasets, Spaces or kernels that the user may see, with its filters in the URL. */
export function RepoList() {
  const [path] = useLocation();
  const kind = Object.keys(KINDS).find((each): each is Kind => path === `/${each}`) ?? 'models';
  // Each kind has tags of its own, so that its fields begin anew.
  return <ListOfKind key={kind} kind={kind} />;
}

function ListOfKind({ kind }: { readonly kind: Kind }) {
  const { title, type, list } = KINDS[kind];
  const hub = useHub();
  const [params, change] = useUrlFilters();
  const search = params.get('search') ?? '';
  const author = params.get('author') ?? '';
  const sort = oneOf(SORT_NAMES, params.get('sort')) ?? 'trendingScore';
  const filter = Object.keys(TAG_TYPES[kind]).flatMap((each) => params.get(each) ?? []);
  const { query, more } = useEntries(['explore', kind, search, author, sort, ...filter], (options) =>
    list({
      ...{ ...hub, ...options, sort },
      ...(search !== '' && { search }),
      ...(author !== '' && { author }),
      ...(filter.length > 0 && { filter }),
    }),
  );
  return (
    <Explore
      title={title}
      actions={
        <Button component={Link} href={`/new?type=${type}`}>
          New {type === 'space' ? 'Space' : type}
        </Button>
      }
    >
      <Group mb="sm" gap="sm">
        <SearchField
          label={`Search ${title.toLowerCase()}`}
          placeholder="Search by name"
          value={search}
          change={(text) => change({ search: text })}
        />
        <TagFilters kind={kind} params={params} change={change} />
        <FilterSelect
          label="Order"
          names={SORTS}
          value={sort}
          atFirst="trendingScore"
          width={180}
          change={(chosen) => change({ sort: chosen })}
        />
      </Group>
      {author !== '' && (
        <Group mb="sm" gap={4}>
          <Text size="sm">Owner: {author}</Text>
          <CloseButton
            size="sm"
            aria-label="Remove the filter by owner"
            icon={<CloseIcon size={16} />}
            onClick={() => change({ author: undefined })}
          />
        </Group>
      )}
      <Loaded query={query}>
        {(repos) =>
          repos.length === 0 ? (
            <Empty title="Nothing found">
              {search === '' && author === '' && filter.length === 0
                ? `There are no ${title.toLowerCase()} yet that you may see.`
                : 'Other filters may find more.'}
            </Empty>
          ) : (
            <PagedList label={title} more={more} busy={query.isPlaceholderData}>
              {repos.map((repo) => (
                <RepoRow key={repo.id} repo={repo} type={type} />
              ))}
            </PagedList>
          )
        }
      </Loaded>
    </Explore>
  );
}
