import { Button, Stack, Text } from '@mantine/core';
import { compareRevisions } from '@moonbase/client/content';
import { listHistory } from '@moonbase/client/files';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Changes } from './changes.tsx';
import { Frame } from './frame.tsx';
import { hrefOf, type Place } from './place.ts';

/** A commit: its message, its changes, and a link to the files after the commit. */
export function CommitPage({ place }: { readonly place: Place }) {
  const { type, repo, revision } = place;
  const hub = useHub();
  const query = useQuery({
    queryKey: ['commit', type, repo, revision],
    async queryFn({ signal }) {
      const { value } = await listHistory({ ...hub, type, repo, revision, pageSize: 1, signal }).next();
      return value ?? null;
    },
  });
  const changes = useQuery({
    queryKey: ['changes', type, repo, revision],
    queryFn: ({ signal }) => compareRevisions({ ...hub, type, repo, compared: `${revision}^..${revision}`, signal }),
  });
  const files = hrefOf({ ...place, page: 'tree', path: '' });
  return (
    <Frame
      place={place}
      title={query.data?.title || revision.slice(0, 10)}
      actions={
        <Button component={Link} href={files} variant="default">
          Browse files
        </Button>
      }
    >
      <Loaded query={query}>
        {(commit) =>
          commit === null ? (
            <Empty title="Not found" />
          ) : (
            <Stack gap="xs">
              <Text size="sm" c="dimmed">
                {commit.authors.map(({ user }) => user).join(', ')}, <Time at={commit.date} />
              </Text>
              <Text size="sm" ff="monospace" className="breaks">
                {commit.id}
              </Text>
              {commit.message !== '' && <Text className="keeps-lines breaks">{commit.message}</Text>}
              <Loaded query={changes}>{(diff) => <Changes diff={diff} />}</Loaded>
            </Stack>
          )
        }
      </Loaded>
    </Frame>
  );
}
