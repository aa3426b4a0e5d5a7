import { Avatar, Box, Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/confirm.tsx';
import { To } from '../ui/link.tsx';
import { Markup } from '../ui/markdown/markup.tsx';
import { Time } from '../ui/time.tsx';
import { AnswerBox } from './answer-box.tsx';

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
    readonly latest: { readonly html: string; readonly raw: string };
    readonly parentCommentId?: string | undefined;
  };
}

/** The actions on a comment; absent ones do not exist for the thread. The hub decides whether an action is allowed. */
export interface CommentActs {
  readonly reply?: (commentId: string, text: string) => Promise<unknown>;
  readonly edit?: (commentId: string, text: string) => Promise<unknown>;
  readonly hide?: (commentId: string) => Promise<unknown>;
  /** Returns whether the page offers to edit and to hide a comment. */
  readonly mayChange: (event: CommentEvent) => boolean;
}

export function Comment({ event, acts }: { readonly event: CommentEvent; readonly acts: CommentActs }) {
  const { id, createdAt, author, data } = event;
  const { reply, edit, hide, mayChange } = acts;
  const [doing, setDoing] = useState<'reply' | 'edit' | 'hide'>();
  const hiding = useAct();
  const stop = () => {
    setDoing(undefined);
    hiding.reset();
  };
  const mine = mayChange(event);
  const offers = [
    reply && ({ what: 'reply', label: 'Reply' } as const),
    edit && mine && ({ what: 'edit', label: 'Edit' } as const),
    hide && mine && ({ what: 'hide', label: 'Hide' } as const),
  ].filter((offer) => offer !== undefined && offer !== false);
  const name = author?.name ?? 'a deleted user';
  return (
    <Box ml={data.parentCommentId ? { base: 'md', sm: 'xl' } : 0}>
      <Paper component="article" id={id} withBorder p="md" mb={doing === 'reply' ? 'xs' : 0}>
        <Group gap="xs" mb="xs">
          <Avatar src={author?.avatarUrl ?? null} size={26} alt="" />
          {author ? (
            <To href={`/${encodeURIComponent(name)}`} c="inherit" fw={600} size="sm">
              {name}
            </To>
          ) : (
            <Text fw={600} size="sm">
              {name}
            </Text>
          )}
          <Text size="xs" c="dimmed">
            <Time at={createdAt} />
            {data.edited && ' · edited'}
          </Text>
          {!data.hidden && (
            <Group gap={4} ml="auto">
              {offers.map(({ what, label }) => (
                <Button
                  key={what}
                  size="compact-xs"
                  variant="default"
                  aria-label={`${label} (comment of ${name})`}
                  onClick={() => setDoing(what)}
                >
                  {label}
                </Button>
              ))}
            </Group>
          )}
        </Group>
        {data.hidden ? (
          <Text c="dimmed" fs="italic" size="sm">
            This comment is hidden.
          </Text>
        ) : doing === 'edit' && edit ? (
          <AnswerBox
            label="Comment"
            action="Save"
            initial={data.latest.raw}
            send={(text) => edit(id, text)}
            cancel={stop}
          />
        ) : (
          <Markup html={data.latest.html} />
        )}
      </Paper>
      {doing === 'reply' && reply && (
        <AnswerBox label={`Reply to ${name}`} action="Reply" send={(text) => reply(id, text)} cancel={stop} />
      )}
      <Confirm
        opened={doing === 'hide'}
        title="Hide this comment?"
        action="Hide"
        busy={hiding.busy}
        error={hiding.error}
        close={stop}
        confirm={() => hide && hiding.act(() => hide(id), stop)}
      >
        Nobody sees its text any more, for good.
      </Confirm>
    </Box>
  );
}

/** An event between comments. */
export function ThreadEvent(props: {
  readonly author: Author | undefined;
  readonly at: string;
  readonly what: string;
}) {
  const { author, at, what } = props;
  return (
    <Box px="md">
      <Text size="sm" c="dimmed" className="breaks">
        {author?.name ?? 'A deleted user'} {what}, <Time at={at} />
      </Text>
    </Box>
  );
}
