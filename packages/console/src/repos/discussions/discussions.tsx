import { Badge, Box, Button, Group, Paper, Text } from '@mantine/core';
import { listDiscussions } from '@moonbase/client/discussions';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { KindIcon } from '../../inbox/kind-icon.tsx';
import { discussionPath } from '../../inbox/thread.ts';
import { useHub } from '../../session/session.tsx';
import { oneOf } from '../../ui/chosen.ts';
import { To } from '../../ui/link.tsx';
import { FilterSelect } from '../../ui/lists/filter-select.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { SearchField } from '../../ui/lists/search-field.tsx';
import { pageIn, useUrlFilters } from '../../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Frame } from '../frame.tsx';
import { hrefOf, type Place } from '../place.ts';

const PAGE_SIZE = 50;
const STATUSES = ['open', 'closed', 'all'] as const;
const KINDS = ['all', 'discussion', 'pull_request'] as const;
const STATUS_NAMES = { open: 'Open', closed: 'Closed', all: 'Open and closed' } as const;
const KIND_NAMES = { all: 'All kinds', discussion: 'Discussions', pull_request: 'Pull requests' } as const;

type Page = Awaited<ReturnType<typeof listDiscussions>>;

/** The discussions and pull requests of a repository, with filters in the URL. */
export function Discussions({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const [params, change] = useUrlFilters();
  const status = oneOf(STATUSES, params.get('status')) ?? 'open';
  const kind = oneOf(KINDS, params.get('kind')) ?? 'all';
  const search = params.get('search') ?? '';
  const page = pageIn(params);
  const query = useQuery({
    queryKey: ['discussions', type, repo, status, kind, search, page],
    queryFn: ({ signal }) =>
      listDiscussions({ ...hub, type, repo, status, kind, page, ...(search !== '' && { search }), signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <Frame
      place={{ ...place, path: '' }}
      actions={
        <Button component={Link} href={hrefOf({ ...place, path: 'new' })}>
          New discussion
        </Button>
      }
    >
      <Group mb="sm" gap="sm">
        <FilterSelect
          label="Status"
          names={STATUS_NAMES}
          value={status}
          atFirst="open"
          change={(chosen) => change({ status: chosen })}
        />
        <FilterSelect
          label="Kind"
          names={KIND_NAMES}
          value={kind}
          atFirst="all"
          change={(chosen) => change({ kind: chosen })}
        />
        <SearchField
          label="Search discussions"
          placeholder="Search in the titles"
          value={search}
          change={(text) => change({ search: text })}
        />
      </Group>
      <Loaded query={query}>
        {({ discussions, count, start }) =>
          count === 0 ? (
            <Empty title="No discussions">
              {status === 'open' && search === '' && kind === 'all'
                ? 'Ask a question, report a problem, or propose a change.'
                : 'Nothing matches.'}
            </Empty>
          ) : (
            <Paper withBorder aria-busy={query.isPlaceholderData}>
              <ul className="plain-list" aria-label="Discussions">
                {discussions.map((discussion) => (
                  <Row key={discussion.num} discussion={discussion} place={place} />
                ))}
              </ul>
              <Pager
                page={page}
                pages={Math.ceil(count / PAGE_SIZE)}
                shown={`${start + 1} to ${start + discussions.length} of ${count}`}
                go={(next) => change({ page: next === 0 ? undefined : String(next + 1) })}
              />
            </Paper>
          )
        }
      </Loaded>
    </Frame>
  );
}

function Row({ discussion, place }: { readonly discussion: Page['discussions'][number]; readonly place: Place }) {
  const { num, title, author, status, isPullRequest, pinned, numComments, createdAt } = discussion;
  // The first comment is the text of the discussion itself.
  const comments = numComments - 1;
  return (
    <Group component="li" className="row" px="md" py={10} gap="sm" wrap="nowrap" align="flex-start">
      <Box mt={1}>
        <KindIcon kind={isPullRequest ? 'Pull request' : 'Discussion'} status={status} />
      </Box>
      <div className="fills">
        <To href={discussionPath({ type: place.type, name: place.repo }, num)} className="row-title" fz={15}>
          {title}
        </To>
        <Text size="xs" c="dimmed">
          #{num} by{' '}
          {author ? (
            <To href={`/${encodeURIComponent(author.name)}`} c="inherit">
              {author.name}
            </To>
          ) : (
            'a deleted user'
          )}
          , <Time at={createdAt} />
        </Text>
      </div>
      {pinned && <Badge color="gray">pinned</Badge>}
      <Text size="xs" c="dimmed" className="figures no-wrap" mt={4}>
        {comments > 0 && `${comments} ${comments === 1 ? 'comment' : 'comments'}`}
      </Text>
    </Group>
  );
}
