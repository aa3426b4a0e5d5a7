import { Button, Group, Text } from '@mantine/core';
import { listDiscussions } from '@moonbase/client/discussions';
import { HubApiError } from '@moonbase/client/errors';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import type { Place } from '../place.ts';
import { Part } from './part.tsx';
import { useUpdate } from './update.ts';

/** Whether a repository has discussions. The hub says so by refusing to list them. */
export function DiscussionSettings({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const { update, busy, error } = useUpdate(place);
  const { data: areDisabled } = useQuery({
    queryKey: ['discussions', type, repo, 'are disabled'],
    queryFn: ({ signal }) =>
      listDiscussions({ ...hub, type, repo, signal }).then(
        () => false,
        (refusal: unknown) => {
          if (refusal instanceof HubApiError && refusal.status === 403) return true;
          throw refusal;
        },
      ),
  });
  if (areDisabled === undefined) return null;
  return (
    <Part title="Discussions" error={error}>
      <Text size="sm">
        {areDisabled
          ? 'Discussions and pull requests are disabled. Those that were opened are kept.'
          : 'Users who read the repository may open discussions and pull requests.'}
      </Text>
      <Group>
        <Button variant="default" loading={busy} onClick={() => update({ discussionsDisabled: !areDisabled })}>
          {areDisabled ? 'Enable discussions' : 'Disable discussions'}
        </Button>
      </Group>
    </Part>
  );
}
