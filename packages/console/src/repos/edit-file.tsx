import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { uploadFiles } from '@moonbase/client/files';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useContent } from './content.ts';
import { Frame, useMayWrite } from './frame.tsx';
import { hrefOf, type Place } from './place.ts';
import { SuggestBox } from './suggest-box.tsx';

/** Edits a text file as a commit, which is refused if somebody else has committed meanwhile. */
export function EditFile({ place }: { readonly place: Place }) {
  const query = useContent(place);
  return (
    <Frame place={place} title={`Edit ${place.path.slice(place.path.lastIndexOf('/') + 1)}`}>
      <Loaded query={query}>
        {({ shown, commit }) =>
          shown.kind === 'text' ? (
            <EditForm place={place} before={shown.text} commit={commit} />
          ) : (
            <Empty title="Not editable">The file is no text, or too large.</Empty>
          )
        }
      </Loaded>
    </Frame>
  );
}

function EditForm(props: { readonly place: Place; readonly before: string; readonly commit: string }) {
  const { place } = props;
  const { type, repo, revision, path } = place;
  // The form keeps the version that it began with, so that a newer one is not overwritten unnoticed.
  const [{ before, commit }] = useState(props);
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [text, setText] = useState(before);
  const mayWrite = useMayWrite(place);
  const [suggests, setSuggests] = useState(false);
  const [message, setMessage] = useState('');
  const back = hrefOf({ ...place, page: 'blob' });
  const save = useMutation({
    mutationFn: () =>
      uploadFiles({
        ...{ ...hub, type, repo, branch: revision, parentCommit: commit },
        createPullRequest: suggests || !mayWrite,
        summary: message.trim() || `Edit ${path}`,
        // Browsers return form fields without carriage returns.
        files: [{ path, content: before.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text }],
      }),
    async onSuccess({ pullRequestUrl }) {
      if (pullRequestUrl !== undefined) return go(new URL(pullRequestUrl).pathname);
      await Promise.all(
        ['tree', 'file', 'history'].map((key) => queries.invalidateQueries({ queryKey: [key, type, repo] })),
      );
      go(back);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack>
        <Textarea
          label="Content"
          autosize
          minRows={10}
          maxRows={30}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <TextInput
          label="Commit message"
          description={`The commit goes to ${revision}.`}
          placeholder={`Edit ${path}`}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <SuggestBox mayWrite={mayWrite} suggests={suggests} onChange={setSuggests} />
        <Refused error={save.error} mt="0" />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={text === before}>
            Commit
          </Button>
          <Button component={Link} href={back} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
