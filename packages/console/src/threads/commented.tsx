import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMe } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Trail } from '../ui/trail.tsx';
import { AnswerBox } from './answer-box.tsx';
import { Comment, type CommentEvent } from './comment.tsx';
import { conversation } from './conversation.ts';
import { useMarkAsRead } from './mark-as-read.ts';

export interface Thread {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  /** The author, if the hub names one. */
  readonly author?: string | undefined;
  readonly comments: readonly CommentEvent[];
}

/** A paper, a post or an article with its comments. */
export function Commented(props: {
  readonly kind: string;
  readonly name: string;
  readonly load: (signal: AbortSignal) => Promise<Thread>;
  readonly send: (comment: string) => Promise<unknown>;
  readonly reply: (commentId: string, comment: string) => Promise<unknown>;
  readonly hide: (commentId: string) => Promise<unknown>;
}) {
  const { kind, name, load, send, reply, hide } = props;
  const { data: me } = useMe();
  const queries = useQueryClient();
  const queryKey = ['thread', kind, name];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) });
  const afterwards = async (act: Promise<unknown>) => {
    await act;
    await queries.invalidateQueries({ queryKey });
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
                  reply: (id, text) => afterwards(reply(id, text)),
                  hide: (id) => afterwards(hide(id)),
                  mayChange: (comment) => me !== undefined && [comment.author?.name, author].includes(me.name),
                }}
              />
            ))}
            <AnswerBox send={(comment) => afterwards(send(comment))} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
