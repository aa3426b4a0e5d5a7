import { Stack } from '@mantine/core';
import { getRepo } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { Loaded } from '../../ui/states.tsx';
import { hrefOf, type Place } from '../place.ts';
import { Deletion } from './deletion.tsx';
import { DiscussionSettings } from './discussion-settings.tsx';
import { SettingsFrame } from './frame.tsx';
import { Gating } from './gating.tsx';
import { Move } from './move.tsx';
import { Visibility } from './visibility.tsx';

/** The settings of a repository. The hub decides who may change them. */
export function RepoSettings({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const query = useQuery({
    queryKey: ['repo', type, repo],
    queryFn: ({ signal }) => getRepo({ ...hub, type, repo, signal }),
  });
  return (
    <SettingsFrame place={place}>
      <Loaded query={query}>
        {({ private: isPrivate = false }) => (
          <Stack>
            <Visibility place={place} isPrivate={isPrivate} />
            <Gating place={place} />
            <DiscussionSettings place={place} />
            <Move
              key={repo}
              place={place}
              hrefAt={(to) => hrefOf({ ...place, repo: to, page: 'settings', path: '' })}
            />
            <Deletion place={place} />
          </Stack>
        )}
      </Loaded>
    </SettingsFrame>
  );
}
