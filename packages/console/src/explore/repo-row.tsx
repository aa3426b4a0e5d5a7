import { Badge, Group, Text } from '@mantine/core';
import { hrefOf, type Place } from '../repos/place.ts';
import { To } from '../ui/link.tsx';
import { Time } from '../ui/time.tsx';
import type { ListedRepo } from './kinds.ts';

const counted = (count: number, one: string): string => `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** A repository in a list: its name, what it is for, and how much it is used. */
export function RepoRow({ repo, type }: { readonly repo: ListedRepo; readonly type: Place['type'] }) {
  const { id, likes = 0, downloads, lastModified, private: isPrivate, gated } = repo;
  const task = 'pipeline_tag' in repo ? repo.pipeline_tag : undefined;
  const sdk = 'sdk' in repo ? repo.sdk : undefined;
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm">
      <div className="fills">
        <To
          href={hrefOf({ type, repo: id, page: 'tree', revision: 'main', path: '' })}
          className="row-title"
          fw={600}
          fz={15}
        >
          {id}
        </To>
        <Text size="xs" c="dimmed" className="figures">
          {[
            task ?? sdk,
            likes > 0 && counted(likes, 'like'),
            downloads !== undefined && downloads > 0 && counted(downloads, 'download'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {isPrivate && <Badge color="gray">private</Badge>}
      {gated && <Badge color="gray">gated</Badge>}
      {lastModified !== undefined && (
        <Text size="xs" c="dimmed" miw={84} ta="right">
          <Time at={lastModified} />
        </Text>
      )}
    </Group>
  );
}
