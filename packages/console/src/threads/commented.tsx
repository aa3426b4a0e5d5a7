import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { Trail } from '../ui/trail.tsx';
import { AnswerBox } from './answer-box.tsx';
import { Comment, type CommentEvent } from './comment.tsx';
import { useMarkAsRead } from './mark-as-read.ts';

export interface Thread {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
  readonly comments: readonly CommentEvent[];
}

/** A paper, a post or an article with what was said about it. */
export function Commented(props: {
  readonly kind: string;
  readonly name: string;
  readonly load: (signal: AbortSignal) => Promise<Thread>;
  readonly send: (comment: string) => Promise<unknown>;
}) {
  const { kind, name, load, send } = props;
  const queries = useQueryClient();
  const queryKey = ['thread', kind, name];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => load(signal) });
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
        {({ about, comments }) => (
          <Stack>
            {about}
            {comments.map((event) => (
              <Comment key={event.id} event={event} />
            ))}
            <AnswerBox
              send={async (comment) => {
                await send(comment);
                await queries.invalidateQueries({ queryKey });
              }}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
