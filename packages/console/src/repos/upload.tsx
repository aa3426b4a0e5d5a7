import { Button, FileButton, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type UploadProgress, uploadFiles } from '@moonbase/client/files';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Refused } from '../ui/refused.tsx';
import { Frame, useMayWrite } from './frame.tsx';
import { bytesText, hrefOf, type Place } from './place.ts';
import { SuggestBox } from './suggest-box.tsx';

const STEPS: Readonly<Record<UploadProgress['step'], string>> = {
  hashing: 'Reading',
  sending: 'Sending',
  committing: 'Committing',
};

/** Uploads files as one commit to a branch, below the folder of the page. */
export function Upload({ place }: { readonly place: Place }) {
  const { type, repo, revision } = place;
  const hub = useHub();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [folder, setFolder] = useState(place.path);
  const [message, setMessage] = useState('');
  const mayWrite = useMayWrite(place);
  const [suggests, setSuggests] = useState(false);
  const [progress, setProgress] = useState<UploadProgress>();
  const inside = folder.trim().replace(/^\/+|\/+$/g, '');
  const back = hrefOf({ ...place, page: 'tree' });
  const upload = useMutation({
    mutationFn: () =>
      uploadFiles({
        ...{ ...hub, type, repo, branch: revision, onProgress: setProgress },
        createPullRequest: suggests || !mayWrite,
        summary: message.trim() || `Upload ${files.length === 1 ? files[0]?.name : `${files.length} files`}`,
        files: files.map((file) => ({ path: inside === '' ? file.name : `${inside}/${file.name}`, content: file })),
      }),
    async onSuccess({ pullRequestUrl }) {
      if (pullRequestUrl !== undefined) return go(new URL(pullRequestUrl).pathname);
      await Promise.all(
        ['tree', 'file', 'history'].map((key) => queries.invalidateQueries({ queryKey: [key, type, repo] })),
      );
      go(hrefOf({ ...place, page: 'tree', path: inside }));
    },
  });
  const add = (more: readonly File[]) => {
    const names = new Set(more.map(({ name }) => name));
    setFiles((before) => [...before.filter(({ name }) => !names.has(name)), ...more]);
    upload.reset();
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    add([...event.dataTransfer.files]);
  };
  return (
    <Frame place={{ ...place, path: '' }} title="Upload files">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          upload.mutate();
        }}
      >
        <Stack maw={680}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same by keyboard */}
          <div className="drop" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
            <Group>
              <FileButton multiple onChange={add}>
                {(button) => (
                  <Button {...button} variant="default">
                    Choose files
                  </Button>
                )}
              </FileButton>
              <Text size="sm" c="dimmed">
                or drop them here
              </Text>
            </Group>
            <ul className="plain-list" aria-label="Files to upload">
              {files.map(({ name, size }) => (
                <Text component="li" key={name} size="sm" mt="xs" className="breaks">
                  {name}, {bytesText(size)}
                </Text>
              ))}
            </ul>
          </div>
          <TextInput
            label="Folder"
            description="Empty: the root of the repository"
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
          />
          <TextInput
            label="Commit message"
            description={`The commit goes to ${revision}.`}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <SuggestBox mayWrite={mayWrite} suggests={suggests} onChange={setSuggests} />
          {upload.isPending && progress && (
            <div role="status">
              <Text size="sm" mb={4}>
                {STEPS[progress.step]}: {bytesText(progress.bytes)} of {bytesText(progress.totalBytes)}
              </Text>
              <Progress
                value={progress.totalBytes === 0 ? 100 : (100 * progress.bytes) / progress.totalBytes}
                aria-label="Progress"
              />
            </div>
          )}
          <Refused error={upload.error} mt="0" />
          <Group>
            <Button type="submit" loading={upload.isPending} disabled={files.length === 0}>
              Commit
            </Button>
            <Button component={Link} href={back} variant="default">
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Frame>
  );
}
