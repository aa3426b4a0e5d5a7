import { Alert, Badge, Group, Text } from '@mantine/core';
import { getRepo } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Like } from './card/like.tsx';
import type { Place } from './place.ts';

const MAX_TAGS = 30;

/** The facts that the hub found in the files of the main branch: tags, downloads, and a README that it cannot read. */
export function Facts({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const { data } = useQuery({
    queryKey: ['repo', type, repo],
    queryFn: ({ signal }) => getRepo({ ...hub, type, repo, signal }),
  });
  if (!data) return null;
  const { downloads, likes = 0 } = data;
  const { tags = [], cardError } = 'tags' in data ? data : {};
  return (
    <>
      {cardError !== undefined && (
        <Alert color="yellow" mb="sm" title="The metadata of the README cannot be read" className="keeps-lines breaks">
          {cardError}
        </Alert>
      )}
      <Group mb="sm" gap={6}>
        <Like place={place} likes={likes} />
        {tags.length > 0 && (
          <Group component="ul" className="plain-list" aria-label="Tags" gap={6}>
            {tags.slice(0, MAX_TAGS).map((tag) => (
              <Badge component="li" key={tag} variant="light" color="gray" tt="none" fw={500}>
                {tag}
              </Badge>
            ))}
          </Group>
        )}
        {downloads !== undefined && (
          <Text size="xs" c="dimmed" className="figures">
            {downloads.toLocaleString('en')} {downloads === 1 ? 'download' : 'downloads'} in 30 days
          </Text>
        )}
      </Group>
    </>
  );
}
