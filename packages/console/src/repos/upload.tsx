import { Button, FileButton, Group, Progress, Text, TextInput } from '@mantine/core';
import { type UploadProgress, uploadFiles } from '@moonbase/client/files';
import { type DragEvent, useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Refused } from '../ui/refused.tsx';
import { type ChosenFile, chosenFiles, droppedFiles } from './chosen-files.ts';
import { CommitForm } from './commit-form.tsx';
import { Frame } from './frame.tsx';
import { bytesText, type Place } from './place.ts';

declare module 'react' {
  interface InputHTMLAttributes<T> {
    /** Makes the dialog choose a folder; all browsers know the attribute, but no specification does. */
    webkitdirectory?: T extends HTMLInputElement ? string : never;
  }
}

const STEPS: Readonly<Record<UploadProgress['step'], string>> = {
  hashing: 'Reading',
  sending: 'Sending',
  committing: 'Committing',
};
/** The number of chosen files that the page names. */
const MAX_NAMED = 100;

/** Uploads files and folders as one commit to a branch, below the folder of the page. */
export function Upload({ place }: { readonly place: Place }) {
  const { type, repo, revision } = place;
  const hub = useHub();
  const [files, setFiles] = useState<readonly ChosenFile[]>([]);
  const [folder, setFolder] = useState(place.path);
  const [progress, setProgress] = useState<UploadProgress>();
  const inside = folder.trim().replace(/^\/+|\/+$/g, '');
  const add = (more: readonly ChosenFile[]) => {
    const paths = new Set(more.map(({ path }) => path));
    setFiles((before) => [...before.filter(({ path }) => !paths.has(path)), ...more]);
  };
  return (
    <Frame place={{ ...place, path: '' }} title="Upload files">
      <CommitForm
        place={place}
        defaultMessage={`Upload ${files.length === 1 ? files[0]?.path : `${files.length} files`}`}
        ready={files.length > 0}
        unsaved={files.length > 0}
        commit={(choice) =>
          uploadFiles({
            ...{ ...hub, type, repo, branch: revision, onProgress: setProgress, ...choice },
            files: files.map(({ path, file }) => ({ path: inside === '' ? path : `${inside}/${path}`, content: file })),
          })
        }
        next={{ ...place, page: 'tree', path: inside }}
        back={{ ...place, page: 'tree' }}
        progress={progress && <Steps progress={progress} />}
      >
        <Chooser files={files} onAdd={add} />
        <TextInput
          label="Folder"
          description="Empty: the root of the repository"
          value={folder}
          onChange={(event) => setFolder(event.currentTarget.value)}
        />
      </CommitForm>
    </Frame>
  );
}

/** Chooses files and folders by dialogs or by dropping them. */
function Chooser(props: {
  readonly files: readonly ChosenFile[];
  readonly onAdd: (files: readonly ChosenFile[]) => void;
}) {
  const { files, onAdd } = props;
  const [error, setError] = useState<unknown>();
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setError(undefined);
    droppedFiles(event.dataTransfer.items).then(onAdd, setError);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons within do the same by keyboard
    <div className="drop" onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <Group>
        <FileButton multiple onChange={(chosen) => onAdd(chosenFiles(chosen))}>
          {(button) => (
            <Button {...button} variant="default">
              Choose files
            </Button>
          )}
        </FileButton>
        <FileButton multiple inputProps={{ webkitdirectory: '' }} onChange={(chosen) => onAdd(chosenFiles(chosen))}>
          {(button) => (
            <Button {...button} variant="default">
              Choose a folder
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          or drop files and folders here
        </Text>
      </Group>
      <ul className="plain-list" aria-label="Files to upload">
        {files.slice(0, MAX_NAMED).map(({ path, file }) => (
          <Text component="li" key={path} size="sm" mt="xs" className="breaks">
            {path}, {bytesText(file.size)}
          </Text>
        ))}
      </ul>
      {files.length > MAX_NAMED && (
        <Text size="sm" c="dimmed" mt="xs">
          and {files.length - MAX_NAMED} more
        </Text>
      )}
      <Refused error={error} />
    </div>
  );
}

function Steps({ progress: { step, bytes, totalBytes } }: { readonly progress: UploadProgress }) {
  return (
    <div role="status">
      <Text size="sm" mb={4}>
        {STEPS[step]}: {bytesText(bytes)} of {bytesText(totalBytes)}
      </Text>
      <Progress value={totalBytes === 0 ? 100 : (100 * bytes) / totalBytes} aria-label="Progress" />
    </div>
  );
}
