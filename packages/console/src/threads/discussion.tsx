import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import {
  changeDiscussionStatus,
  commentDiscussion,
  editComment,
  getDiscussion,
  hideComment,
  mergePullRequest,
} from '@moonbase/client/discussions';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { Changes } from '../repos/changes.tsx';
import { hrefOf } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Loaded } from '../ui/states.tsx';
import { Trail } from '../ui/trail.tsx';
import { AnswerBox } from './answer-box.tsx';
import { Comment, type CommentActs, ThreadEvent } from './comment.tsx';
import { withNew } from './conversation.ts';
import { DiscussionMenu } from './discussion-menu.tsx';
import { THREADS } from './keys.ts';
import { useMarkAsRead } from './mark-as-read.ts';
import { useRights } from './rights.ts';

const TYPES: Readonly<Record<string, 'model' | 'dataset' | 'space' | 'kernel'>> = {
  models: 'model',
  datasets: 'dataset',
  spaces: 'space',
  kernels: 'kernel',
};
const COLORS = { open: 'green', draft: 'gray', closed: 'red', merged: 'violet' } as const;

type Shown = Awaited<ReturnType<typeof getDiscussion>>;

/** A discussion or pull request: its events, and a box for an answer. */
export function Discussion() {
  const { repoType = 'models', namespace = '', repo = '', num = '' } = useParams();
  const hub = useHub();
  const queries = useQueryClient();
  const type = TYPES[repoType] ?? 'model';
  const one = { ...hub, type, repo: `${namespace}/${repo}`, num: Number(num) };
  const queryKey = [...THREADS, type, one.repo, num];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => getDiscussion({ ...one, signal }) });
  const { data } = query;
  useMarkAsRead(data?._id, data?.events.length ?? 0);
  const changed = () => queries.invalidateQueries({ queryKey });
  const { act, busy, error } = useAct(queryKey);
  const may = useRights(namespace);
  const home = { type, repo: one.repo, page: 'tree', revision: 'main', path: '' } as const;
  const discussions = hrefOf({ ...home, page: 'discussions' });
  const acts: CommentActs = {
    repo: { type, repo: one.repo },
    edit: (commentId, content) => editComment({ ...one, commentId, content }).then(changed),
    hide: (commentId) => hideComment({ ...one, commentId }).then(changed),
    mayChange: ({ author }) => may.write || may.is(author?.name),
  };
  const setStatus = (status: 'open' | 'closed', comment: string, clear: () => void) =>
    act(() => changeDiscussionStatus({ ...one, status, ...commentField(comment) }).then(clear));

  return (
    <Page
      title={data?.title ?? `#${num}`}
      tab={`${data?.title ?? 'Discussion'} · ${one.repo}#${num}`}
      above={
        <Trail
          above={[
            { href: hrefOf(home), name: one.repo },
            { href: discussions, name: 'Discussions' },
          ]}
        >
          #{num}
        </Trail>
      }
      actions={
        data &&
        (may.write || may.is(data.author?.name)) && (
          <DiscussionMenu of={one} discussion={data} mayWrite={may.write} queryKey={queryKey} list={discussions} />
        )
      }
    >
      <Loaded query={query}>
        {({ events, status, isPullRequest, pinned, author, omittedEvents = 0 }) => (
          <Stack>
            <Group gap="xs">
              <Badge color={COLORS[status]} variant="filled">
                {status}
              </Badge>
              <Text size="sm" c="dimmed">
                {isPullRequest ? 'Pull request' : 'Discussion'}
                {pinned && ', pinned'}
                {omittedEvents > 0 && `, too long: ${omittedEvents} entries after the first are not shown`}
              </Text>
            </Group>
            {events.map((event) =>
              event.type === 'comment' ? (
                <Comment key={event.id} event={event} acts={acts} />
              ) : (
                <ThreadEvent key={event.id} author={event.author} at={event.createdAt} what={happened(event)} />
              ),
            )}
            {isPullRequest && <PullRequestChanges of={one} version={events.length} />}
            <Refused error={error} mt="0" />
            <AnswerBox
              repo={{ type, repo: one.repo }}
              send={async (comment) => {
                const { newMessage } = await commentDiscussion({ ...one, comment });
                queries.setQueryData<Shown>(
                  queryKey,
                  (before) => before && { ...before, events: withNew(before.events, newMessage) },
                );
                void changed();
              }}
              more={(comment, clear) => {
                const also = comment.trim() !== '' && ' with comment';
                return (
                  <>
                    {status !== 'merged' && (may.write || may.is(author?.name)) && (
                      <Button
                        variant="default"
                        loading={busy}
                        onClick={() => setStatus(status === 'closed' ? 'open' : 'closed', comment, clear)}
                      >
                        {status === 'closed' ? 'Reopen' : 'Close'}
                        {also}
                      </Button>
                    )}
                    {status === 'draft' && (may.write || may.is(author?.name)) && (
                      <Button variant="default" loading={busy} onClick={() => setStatus('open', comment, clear)}>
                        Publish
                        {also}
                      </Button>
                    )}
                    {isPullRequest && status === 'open' && may.write && (
                      <Button
                        color="violet"
                        loading={busy}
                        onClick={() => act(() => mergePullRequest({ ...one, ...commentField(comment) }).then(clear))}
                      >
                        Merge
                        {also}
                      </Button>
                    )}
                  </>
                );
              }}
            />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

/**
 * The changes of a pull request, fetched once the section is opened. The number of events identifies the version of the
 * pull request.
 */
function PullRequestChanges({
  of,
  version,
}: {
  readonly of: Omit<Parameters<typeof getDiscussion>[0], 'diff'>;
  readonly version: number;
}) {
  const [path] = useLocation();
  const [open, setOpen] = useState(path.endsWith('/files'));
  const query = useQuery({
    enabled: open,
    queryKey: ['changes', of.type, of.repo, of.num, version],
    queryFn: async ({ signal }) => {
      const discussion = await getDiscussion({ ...of, diff: '1', signal });
      return 'diff' in discussion ? (discussion.diff ?? '') : '';
    },
  });
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Changes</summary>
      {open && <Loaded query={query}>{(diff) => <Changes diff={diff} />}</Loaded>}
    </details>
  );
}

const commentField = (comment: string) => (comment.trim() === '' ? {} : { comment });

function happened(event: Exclude<Shown['events'][number], { type: 'comment' }>): string {
  switch (event.type) {
    case 'commit':
      return `added the commit ${event.data.oid.slice(0, 7)}: ${event.data.subject}`;
    case 'status-change':
      return `changed the status to ${event.data.status}`;
    case 'title-change':
      return `changed the title from “${event.data.from}” to “${event.data.to}”`;
    case 'pinning-change':
      return event.data.pinned ? 'pinned this' : 'unpinned this';
    case 'ref-deleted':
      return 'deleted the ref';
  }
}
