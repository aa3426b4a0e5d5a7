import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useDraft } from '../ui/forms/drafts.ts';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';
import { useMayWrite } from './frame.tsx';
import { hrefOf, type Place } from './place.ts';

/** What the user chose about a commit. */
export interface CommitChoice {
  readonly summary: string;
  readonly createPullRequest: boolean;
}

/** A form whose submission is a commit: its own fields, the message, and whether the commit opens a pull request. */
export function CommitForm(props: {
  readonly place: Place;
  /** The message if the user enters none. */
  readonly defaultMessage: string;
  readonly ready: boolean;
  /** Whether the fields of the form hold something that would be lost. */
  readonly unsaved: boolean;
  /** Whether these fields are drafts, as the message is. */
  readonly isDraft?: boolean;
  /** Sends the commit; returns the address of the pull request that it opened, if it opened one. */
  readonly commit: (choice: CommitChoice) => Promise<{ readonly pullRequestUrl?: string | undefined }>;
  /** The page after a commit to the branch. */
  readonly next: Place;
  /** The page after giving up. */
  readonly back: Place;
  /** Shown while the commit is sent. */
  readonly progress?: ReactNode;
  readonly children: ReactNode;
}) {
  const { place, defaultMessage, ready, unsaved, isDraft = false, commit, next, back, progress, children } = props;
  const { type, repo, revision } = place;
  const queries = useQueryClient();
  const [, go] = useLocation();
  const mayWrite = useMayWrite(place);
  const [suggests, setSuggests] = useState(false);
  const [message, setMessage] = useDraft('message');
  useUnsaved(unsaved || message !== '', { isDraft: isDraft || !unsaved });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => commit({ summary: message.trim() || defaultMessage, createPullRequest: suggests || !mayWrite }),
    async onSuccess({ pullRequestUrl }) {
      if (pullRequestUrl !== undefined) return go(new URL(pullRequestUrl).pathname);
      await Promise.all(
        ['repo', 'tree', 'file', 'history'].map((key) => queries.invalidateQueries({ queryKey: [key, type, repo] })),
      );
      go(hrefOf(next));
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        {children}
        <TextInput
          label="Commit message"
          description={`The commit goes to ${revision}.`}
          placeholder={defaultMessage}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Checkbox
          label="Open a pull request"
          description={mayWrite ? undefined : 'You may not write to this repository: its writers decide.'}
          checked={suggests || !mayWrite}
          disabled={!mayWrite}
          onChange={(event) => setSuggests(event.currentTarget.checked)}
        />
        {isPending && progress}
        <Refused error={error} mt="0" />
        <Group>
          <Button type="submit" loading={isPending} disabled={!ready}>
            Commit
          </Button>
          <Button component={Link} href={hrefOf(back)} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
