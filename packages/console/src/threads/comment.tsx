import { Anchor, Box, Button, Group, Paper, Text } from '@mantine/core';
import type { FileRepo } from '@moonbase/client/files';
import { useState } from 'react';
import { AccountLink, type NamedAccount } from '../ui/account-link.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { Markup } from '../ui/markdown/markup.tsx';
import { Time } from '../ui/time.tsx';
import { AnswerBox } from './answer-box.tsx';
import { usePermalink } from './permalink.ts';

export interface CommentEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly author?: NamedAccount | undefined;
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
  /** The repository of the thread, if it is about one. */
  readonly repo?: FileRepo;
  /** Returns whether the page offers to edit and to hide a comment. */
  readonly mayChange: (event: CommentEvent) => boolean;
}

export function Comment({ event, acts }: { readonly event: CommentEvent; readonly acts: CommentActs }) {
  const { id, createdAt, author, data } = event;
  const { reply, edit, hide, mayChange } = acts;
  const [doing, setDoing] = useState<'reply' | 'edit' | 'hide'>();
  const hiding = useAct();
  const permalink = usePermalink(id);
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
      <Paper
        {...permalink}
        component="article"
        withBorder
        p="md"
        mb={doing === 'reply' ? 'xs' : 0}
        className="comment-box"
      >
        <Group gap="xs" mb="xs">
          <AccountLink account={author} size={26} />
          <Anchor href={`#${id}`} size="xs" c="dimmed" title="Link to this comment">
            <Time at={createdAt} />
          </Anchor>
          {data.edited && (
            <Text size="xs" c="dimmed">
              edited
            </Text>
          )}
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
            about={id}
            action="Save"
            initial={data.latest.raw}
            repo={acts.repo}
            send={(text) => edit(id, text)}
            cancel={stop}
          />
        ) : (
          <Markup html={data.latest.html} />
        )}
      </Paper>
      {doing === 'reply' && reply && (
        <AnswerBox
          label={`Reply to ${name}`}
          about={id}
          action="Reply"
          send={(text) => reply(id, text)}
          cancel={stop}
        />
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
        Nobody will be able to read its text again.
      </Confirm>
    </Box>
  );
}

/** An event between comments. */
export function ThreadEvent(props: {
  readonly author: NamedAccount | undefined;
  readonly at: string;
  readonly what: string;
}) {
  const { author, at, what } = props;
  return (
    <Box px="md">
      <Text size="sm" c="dimmed" className="breaks" component="div">
        <AccountLink account={author} /> {what}, <Time at={at} />
      </Text>
    </Box>
  );
}
