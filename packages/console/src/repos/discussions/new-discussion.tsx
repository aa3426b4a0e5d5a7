import { Checkbox, Stack, TextInput } from '@mantine/core';
import { createDiscussion } from '@moonbase/client/discussions';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { discussionPath } from '../../inbox/thread.ts';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { useDraft } from '../../ui/forms/drafts.ts';
import { FormEnd } from '../../ui/forms/form-end.tsx';
import { MarkdownField } from '../../ui/forms/markdown-field.tsx';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { Refused } from '../../ui/refused.tsx';
import { Frame } from '../frame.tsx';
import { hrefOf, type Place } from '../place.ts';

const MIN_TITLE = 3;

/** The form that opens a discussion, or a pull request without changes yet. */
export function NewDiscussion({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const [, go] = useLocation();
  const [title, setTitle] = useDraft('title');
  const [description, setDescription] = useDraft('description');
  const [pullRequest, setPullRequest] = useState(false);
  useUnsaved(title !== '' || description !== '', { isDraft: true });
  const { act, busy, error } = useAct(['discussions', type, repo]);
  const open = async () => {
    const { num } = await createDiscussion({ ...hub, type, repo, title: title.trim(), description, pullRequest });
    go(discussionPath({ type, name: repo }, num));
  };
  return (
    <Frame place={{ ...place, path: '' }} title={pullRequest ? 'New pull request' : 'New discussion'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(open);
        }}
      >
        <Stack maw={760}>
          <TextInput
            label="Title"
            minLength={MIN_TITLE}
            maxLength={200}
            required
            withAsterisk={false}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <MarkdownField
            label="Text"
            minRows={6}
            maxRows={24}
            value={description}
            change={setDescription}
            repo={{ type, repo }}
          />
          <Checkbox
            label="Open a pull request"
            description="It begins as a draft without changes; push commits to its ref, refs/pr/ and its number."
            checked={pullRequest}
            onChange={(event) => setPullRequest(event.currentTarget.checked)}
          />
          <Refused error={error} mt="0" />
          <FormEnd
            submit={pullRequest ? 'Open pull request' : 'Open discussion'}
            busy={busy}
            disabled={title.trim().length < MIN_TITLE}
            back={hrefOf({ ...place, path: '' })}
          />
        </Stack>
      </form>
    </Frame>
  );
}
