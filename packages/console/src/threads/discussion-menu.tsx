import { Button, Group, Menu, Modal, Stack, TextInput } from '@mantine/core';
import {
  deleteDiscussion,
  deletePullRequestRef,
  type getDiscussion,
  pinDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { Refused } from '../ui/refused.tsx';

/** The actions on a discussion as a whole, except for its status. */
export function DiscussionMenu(props: {
  readonly of: Parameters<typeof deleteDiscussion>[0];
  readonly discussion: Awaited<ReturnType<typeof getDiscussion>>;
  /** Whether the user has write access; the author may always change the title. */
  readonly mayWrite: boolean;
  readonly queryKey: QueryKey;
  /** The page with the discussions of the repository. */
  readonly list: string;
}) {
  const { of, discussion, mayWrite, queryKey, list } = props;
  const { title, pinned, status } = discussion;
  const [, go] = useLocation();
  const [asking, setAsking] = useState<'title' | 'delete' | 'ref'>();
  const [draft, setDraft] = useState(title);
  const { act, busy, error, reset } = useAct(queryKey);
  const stop = () => {
    setAsking(undefined);
    reset();
  };
  const hasRef = discussion.isPullRequest && !discussion.changes.refDeleted;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" loading={busy}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => {
              setDraft(title);
              setAsking('title');
            }}
          >
            Change the title
          </Menu.Item>
          {mayWrite && (
            <Menu.Item onClick={() => act(() => pinDiscussion({ ...of, pinned: !pinned }))}>
              {pinned ? 'Take the pin off' : 'Pin'}
            </Menu.Item>
          )}
          {mayWrite && hasRef && (status === 'closed' || status === 'merged') && (
            <Menu.Item onClick={() => setAsking('ref')}>Delete the ref</Menu.Item>
          )}
          {mayWrite && <Menu.Item onClick={() => setAsking('delete')}>Delete</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={asking === 'title'}
        onClose={stop}
        title="Change the title"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(() => renameDiscussion({ ...of, title: draft.trim() }), stop);
          }}
        >
          <Stack>
            <TextInput
              label="Title"
              minLength={3}
              maxLength={200}
              data-autofocus
              value={draft}
              onChange={(event) => setDraft(event.currentTarget.value)}
            />
            <Refused error={error} mt="0" />
            <Group justify="flex-end">
              <Button type="submit" loading={busy} disabled={draft.trim().length < 3 || draft.trim() === title}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <Confirm
        opened={asking === 'delete'}
        title={`Delete “${title}”?`}
        action="Delete"
        busy={busy}
        error={error}
        close={stop}
        confirm={() => act(() => deleteDiscussion(of).then(() => go(list)))}
      >
        All that was said in it goes with it.
      </Confirm>
      <Confirm
        opened={asking === 'ref'}
        title={`Delete the ref of “${title}”?`}
        action="Delete the ref"
        busy={busy}
        error={error}
        close={stop}
        confirm={() => act(() => deletePullRequestRef(of), stop)}
      >
        Its commits that no branch has can no longer be read.
      </Confirm>
      <Outcome of={asking === undefined ? error : null} error={error} text={undefined} good={false} />
    </>
  );
}
