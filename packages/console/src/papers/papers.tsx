import { Group, Text } from '@mantine/core';
import { type ListedPaper, listDailyPapers, searchPapers } from '@moonbase/client/papers';
import type { Hub } from '@moonbase/client/request';
import { Explore } from '../explore/explore.tsx';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { SearchField } from '../ui/lists/search-field.tsx';
import { useUrlFilters } from '../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';

const PAGE_SIZE = 50;
/** The maximum of a search. */
const MAX_FOUND = 120;

/** All papers, or those with words of their titles. */
export function Papers() {
  const hub = useHub();
  const [params, change] = useUrlFilters();
  const search = params.get('search') ?? '';
  const { query, more } = useEntries(['papers', search], ({ signal }) => papersOf({ ...hub, signal }, search));
  return (
    <Explore title="Papers">
      <Group mb="sm">
        <SearchField
          label="Search papers"
          placeholder="Search by title or arXiv identifier"
          value={search}
          change={(text) => change({ search: text })}
        />
      </Group>
      <Loaded query={query}>
        {(papers) =>
          papers.length === 0 ? (
            <Empty title="Nothing found">
              {search === '' ? 'There are no papers on this hub yet.' : 'Other words may find more.'}
            </Empty>
          ) : (
            <PagedList label="Papers" more={more} busy={query.isPlaceholderData}>
              {papers.map((each) => (
                <Row key={each.paper.id} listed={each} />
              ))}
            </PagedList>
          )
        }
      </Loaded>
    </Explore>
  );
}

async function* papersOf(hub: Hub, search: string): AsyncGenerator<ListedPaper> {
  if (search !== '') return yield* await searchPapers({ ...hub, q: search, limit: MAX_FOUND });
  for (let page = 0; ; page++) {
    const papers = await listDailyPapers({ ...hub, page, limit: PAGE_SIZE });
    yield* papers;
    if (papers.length < PAGE_SIZE) return;
  }
}

function Row({ listed }: { readonly listed: ListedPaper }) {
  const { paper, publishedAt, title, numComments } = listed;
  const authors = paper.authors.map(({ name }) => name);
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm">
      <div className="fills">
        <To href={`/papers/${encodeURIComponent(paper.id)}`} className="row-title" fw={600} fz={15}>
          {title}
        </To>
        <Text size="xs" c="dimmed" className="breaks">
          {[authors.join(', '), numComments > 0 && `${numComments} ${numComments === 1 ? 'comment' : 'comments'}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <Text size="xs" c="dimmed" miw={84} ta="right">
        <Time at={publishedAt} />
      </Text>
    </Group>
  );
}
