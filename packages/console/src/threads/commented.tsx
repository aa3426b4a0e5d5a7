import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMe } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Trail } from '../ui/trail.tsx';
import { AnswerBox } from './answer-box.tsx';
import { Comment, type CommentEvent } from './comment.tsx';
import { conversation, withNew } from './conversation.ts';
import { THREADS } from './keys.ts';
import { useMarkAsRead } from './mark-as-read.ts';

export interface Thread {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  /** The author, if the hub names one. */
  readonly author?: string | undefined;
  readonly comments: readonly CommentEvent[];
}

interface Sent {
  readonly newMessage: CommentEvent;
}

/** A paper, a post or an article with its comments. */
export function Commented(props: {
  readonly kind: string;
  readonly name: string;
  readonly load: (signal: AbortSignal) => Promise<Thread>;
  readonly send: (comment: string) => Promise<Sent>;
  readonly reply: (commentId: string, comment: string) => Promise<Sent>;
  readonly hide: (commentId: string) => Promise<unknown>;
}) {
  const { kind, name, load, send, reply, hide } = props;
  const { data: me } = useMe();
  const queries = useQueryClient();
  const queryKey = [...THREADS, kind, name];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) });
  const changed = () => queries.invalidateQueries({ queryKey });
  const sent = ({ newMessage }: Sent) => {
    queries.setQueryData<Thread>(
      queryKey,
      (before) => before && { ...before, comments: withNew(before.comments, newMessage) },
    );
    void changed();
  };
  useMarkAsRead(query.data?.id, query.data?.comments.length ?? 0);
  return (
    <Page
      title={query.data?.title ?? name}
      above={
        <Trail above={[{ href: '/inbox', name: 'Inbox' }]}>
          {kind} {name}
        </Trail>
      }
    >
      <Loaded query={query}>
        {({ about, author, comments }) => (
          <Stack>
            {about}
            {conversation(comments).map((event) => (
              <Comment
                key={event.id}
                event={event}
                acts={{
                  reply: (id, text) => reply(id, text).then(sent),
                  hide: (id) => hide(id).then(changed),
                  mayChange: (comment) => me !== undefined && [comment.author?.name, author].includes(me.name),
                }}
              />
            ))}
            <AnswerBox send={(comment) => send(comment).then(sent)} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
