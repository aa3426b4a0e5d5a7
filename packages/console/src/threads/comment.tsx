import { Avatar, Box, Group, Paper, Text } from '@mantine/core';
import { Time } from '../ui/time.tsx';
import { Markup } from './markup.tsx';

interface Author {
  readonly name: string;
  readonly avatarUrl: string;
}

export interface CommentEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly author?: Author | undefined;
  readonly data: {
    readonly edited: boolean;
    readonly hidden: boolean;
    readonly latest: { readonly html: string };
    readonly parentCommentId?: string | undefined;
  };
}

export function Comment({ event }: { readonly event: CommentEvent }) {
  const { id, createdAt, author, data } = event;
  return (
    <Paper component="article" id={id} withBorder p="md" ml={data.parentCommentId ? 'xl' : 0}>
      <Group gap="xs" mb="xs">
        <Avatar src={author?.avatarUrl ?? null} size={26} alt="" />
        <Text fw={600} size="sm">
          {author?.name ?? 'somebody who is gone'}
        </Text>
        <Text size="xs" c="dimmed">
          <Time at={createdAt} />
          {data.edited && ' · edited'}
        </Text>
      </Group>
      {data.hidden ? (
        <Text c="dimmed" fs="italic" size="sm">
          This comment is hidden.
        </Text>
      ) : (
        <Markup html={data.latest.html} />
      )}
    </Paper>
  );
}

/** What happened between comments. */
export function Happening(props: { readonly author: Author | undefined; readonly at: string; readonly what: string }) {
  const { author, at, what } = props;
  return (
    <Box px="md">
      <Text size="sm" c="dimmed" className="breaks">
        {author?.name ?? 'Somebody who is gone'} {what}, <Time at={at} />
      </Text>
    </Box>
  );
}
