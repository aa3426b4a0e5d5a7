import { Group, Text } from '@mantine/core';
import { listHistory } from '@moonbase/client/files';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Frame, RevisionSelect } from './frame.tsx';
import { hrefOf, type Place } from './place.ts';

/** The history of a branch, a tag or a commit. */
export function Commits({ place }: { readonly place: Place }) {
  const { type, repo, revision } = place;
  const hub = useHub();
  const { query, more } = useEntries(['history', type, repo, revision], (options) =>
    listHistory({ ...hub, type, repo, revision, ...options }),
  );
  return (
    <Frame place={place}>
      <Group mb="sm">
        <RevisionSelect place={place} />
      </Group>
      <Loaded query={query}>
        {(commits) => (
          <PagedList label="Commits" more={more} busy={query.isPlaceholderData}>
            {commits.map(({ id, title, authors, date }) => (
              <Group key={id} component="li" className="row" px="md" py="sm" gap="sm" wrap="nowrap">
                <div className="fills">
                  <To
                    href={hrefOf({ ...place, page: 'commit', revision: id, path: '' })}
                    className="row-title"
                    fw={600}
                    fz={15}
                  >
                    {title || 'No message'}
                  </To>
                  <Text size="xs" c="dimmed">
                    {authors.map(({ user }) => user).join(', ')}
                  </Text>
                </div>
                <Text size="xs" c="dimmed" ff="monospace" visibleFrom="sm">
                  {id.slice(0, 10)}
                </Text>
                <Text size="xs" c="dimmed" miw={84} ta="right">
                  <Time at={date} />
                </Text>
              </Group>
            ))}
          </PagedList>
        )}
      </Loaded>
    </Frame>
  );
}
