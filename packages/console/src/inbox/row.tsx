import { Anchor, Avatar, Box, Checkbox, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { To } from '../ui/link.tsx';
import { Time } from '../ui/time.tsx';
import { KindIcon } from './kind-icon.tsx';
import type { Thread } from './thread.ts';

interface RowProps {
  readonly thread: Thread;
  readonly read: boolean;
  readonly updatedAt: string;
  readonly selected: boolean;
  readonly toggle: () => void;
  readonly narrow: (repo: string) => void;
  /** Why the user has the notification, and how to get no further ones; undefined while it is not known. */
  readonly why: ReactNode;
}

export function Row({ thread, read, updatedAt, selected, toggle, narrow, why }: RowProps) {
  const { kind, title, place, href, status, participants, repo } = thread;
  return (
    <Group
      component="li"
      className="row"
      px="md"
      py={10}
      gap="sm"
      wrap="nowrap"
      align="flex-start"
      data-thread={thread.id}
      data-unread={read ? undefined : true}
    >
      <Checkbox mt={2} aria-label={`Select ${title}`} checked={selected} onChange={toggle} />
      <Box mt={1}>
        <KindIcon kind={kind} status={status} />
      </Box>
      <Box flex={1} miw={0}>
        <To href={href} className="row-title" fz={15} lineClamp={2}>
          {title}
        </To>
        <Group gap="2px 8px">
          {repo === undefined ? (
            <Text size="xs" c="dimmed">
              {kind} · {place}
            </Text>
          ) : (
            <Anchor
              component="button"
              type="button"
              size="xs"
              mih={24}
              c="dimmed"
              className="breaks"
              title={`Only ${repo}`}
              onClick={() => narrow(repo)}
            >
              {place}
            </Anchor>
          )}
          {why}
          <Text size="xs" c="dimmed" hiddenFrom="xs">
            <Time at={updatedAt} />
          </Text>
        </Group>
      </Box>
      <Avatar.Group visibleFrom="xs" aria-label={`With ${participants.map(({ user }) => user).join(', ')}`} role="img">
        {participants.slice(0, 4).map(({ _id, avatar, user }) => (
          <Avatar key={_id} src={avatar} size={26} radius="xl" alt="" title={user} />
        ))}
      </Avatar.Group>
      <Text size="xs" c="dimmed" w={84} ta="right" mt={4} visibleFrom="xs">
        <Time at={updatedAt} />
      </Text>
      <Box mt={8}>
        <div className="dot" data-on={read ? undefined : true} title={read ? undefined : 'Unread'} />
      </Box>
    </Group>
  );
}
