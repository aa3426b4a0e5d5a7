import { Badge, Button, Group, Text } from '@mantine/core';
import { deleteFiles, urlOfFile } from '@moonbase/client/files';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Gate } from './access/gate.tsx';
import { type Shown, useContent } from './content.ts';
import { Frame, RevisionSelect, useMayWrite } from './frame.tsx';
import { bytesText, hrefOf, type Place } from './place.ts';
import { isMarkdown, MarkdownText } from './readme.tsx';
import { TextLines } from './text-lines.tsx';

/** A file: its content if it can be shown, and actions on it. */
export function FilePage({ place }: { readonly place: Place }) {
  const { path, revision } = place;
  const hub = useHub();
  const query = useContent(place);
  const mayWrite = useMayWrite(place);
  const url = (download?: boolean) => urlOfFile({ ...hub, ...place, revision, download });
  return (
    <Frame
      place={place}
      title={path.slice(path.lastIndexOf('/') + 1)}
      actions={
        <>
          <Button component="a" href={url(true)} variant="default" download>
            Download
          </Button>
          {query.data?.shown.kind === 'text' && (
            <Button component={Link} href={hrefOf({ ...place, page: 'edit' })} variant="default">
              Edit
            </Button>
          )}
          {mayWrite && <DeleteFile place={place} />}
        </>
      }
    >
      <Group mb="sm" gap="sm">
        <RevisionSelect place={place} />
        {query.data && (
          <Text size="sm" c="dimmed">
            {bytesText(query.data.size)}
          </Text>
        )}
        {query.data?.isLarge && <Badge color="gray">large file</Badge>}
        <Text component="a" href={url()} size="sm" td="underline">
          Raw
        </Text>
      </Group>
      <Gate place={place} error={query.error}>
        <Loaded query={query}>{({ shown }) => <Content shown={shown} place={place} />}</Loaded>
      </Gate>
    </Frame>
  );
}

function Content({ shown, place }: { readonly shown: Shown; readonly place: Place }) {
  switch (shown.kind) {
    case 'picture':
      return <img src={shown.url} alt={place.path} className="picture" />;
    case 'text':
      return isMarkdown(place.path) ? (
        <MarkdownText text={shown.text} place={place} />
      ) : (
        <TextLines text={shown.text} />
      );
    case 'nothing':
      return <Empty title="Not shown">The file is not text, or it is too large to show: download it.</Empty>;
  }
}

function DeleteFile({ place }: { readonly place: Place }) {
  const { type, repo, revision, path } = place;
  const hub = useHub();
  const [, go] = useLocation();
  const [opened, setOpened] = useState(false);
  const { act, busy, error } = useAct(['tree', type, repo], ['history', type, repo]);
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${path}`}
        action="Delete"
        busy={busy}
        error={error}
        close={() => setOpened(false)}
        confirm={() =>
          act(
            () => deleteFiles({ ...hub, type, repo, branch: revision, paths: [path], summary: `Delete ${path}` }),
            // The folder may disappear together with its last file.
            () => go(hrefOf({ ...place, page: 'tree', path: '' })),
          )
        }
      >
        A commit on {revision} deletes the file. Earlier commits keep it.
      </Confirm>
    </>
  );
}
