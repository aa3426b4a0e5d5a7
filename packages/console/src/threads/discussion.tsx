import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { changeDiscussionStatus, commentDiscussion, getDiscussion } from '@moonbase/client/discussions';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, Loaded } from '../ui/states.tsx';
import { Trail } from '../ui/trail.tsx';
import { AnswerBox } from './answer-box.tsx';
import { Comment, Happening } from './comment.tsx';
import { useMarkAsRead } from './mark-as-read.ts';

const TYPES = { models: 'model', datasets: 'dataset', spaces: 'space', kernels: 'kernel' } as const;
const COLORS = { open: 'green', draft: 'gray', closed: 'red', merged: 'violet' } as const;

type Shown = Awaited<ReturnType<typeof getDiscussion>>;

/** A discussion or pull request: what happened, and an answer. */
export function Discussion() {
  const { repoType = 'models', namespace = '', repo = '', num = '' } = useParams();
  const hub = useHub();
  const queries = useQueryClient();
  const type = TYPES[repoType as keyof typeof TYPES] ?? 'model';
  const one = { ...hub, type, repo: `${namespace}/${repo}`, num: Number(num) };
  const queryKey = ['discussion', type, one.repo, num];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => getDiscussion({ ...one, signal }) });
  const { data } = query;
  useMarkAsRead(data?._id, data?.events.length ?? 0);
  const changed = () => queries.invalidateQueries({ queryKey });
  const change = useMutation({
    mutationFn: ({ status, comment }: { status: 'open' | 'closed'; comment: string }) =>
      changeDiscussionStatus({ ...one, status, ...(comment.trim() !== '' && { comment }) }),
    onSuccess: changed,
  });

  return (
    <Page
      title={data?.title ?? `#${num}`}
      above={
        <Trail above={[{ href: '/inbox', name: 'Inbox' }]}>
          {one.repo} #{num}
        </Trail>
      }
    >
      <Loaded query={query}>
        {({ events, status, isPullRequest }) => (
          <Stack>
            <Group gap="xs">
              <Badge color={COLORS[status]} variant="filled">
                {status}
              </Badge>
              <Text size="sm" c="dimmed">
                {isPullRequest ? 'Pull request' : 'Discussion'}
              </Text>
            </Group>
            {events.map((event) =>
              event.type === 'comment' ? (
                <Comment key={event.id} event={event} />
              ) : (
                <Happening key={event.id} author={event.author} at={event.createdAt} what={happened(event)} />
              ),
            )}
            {change.error && <Failure error={change.error} />}
            <AnswerBox
              send={async (comment) => {
                await commentDiscussion({ ...one, comment });
                await changed();
              }}
              more={(comment, clear) =>
                status !== 'merged' && (
                  <Button
                    variant="default"
                    loading={change.isPending}
                    onClick={() =>
                      change.mutate({ status: status === 'closed' ? 'open' : 'closed', comment }, { onSuccess: clear })
                    }
                  >
                    {status === 'closed' ? 'Open again' : 'Close'}
                    {comment.trim() !== '' && ' with comment'}
                  </Button>
                )
              }
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function happened(event: Exclude<Shown['events'][number], { type: 'comment' }>): string {
  switch (event.type) {
    case 'status-change':
      return `changed the status to ${event.data.status}`;
    case 'title-change':
      return `changed the title from “${event.data.from}” to “${event.data.to}”`;
    case 'pinning-change':
      return event.data.pinned ? 'pinned this' : 'took the pin off';
    case 'ref-deleted':
      return 'deleted the ref';
  }
}
