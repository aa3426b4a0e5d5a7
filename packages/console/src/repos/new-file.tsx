import { TextInput } from '@mantine/core';
import { getPathsInfo } from '@moonbase/client/content';
import { commitAt, uploadFiles } from '@moonbase/client/files';
import { useHub } from '../session/session.tsx';
import { useDraft } from '../ui/forms/drafts.ts';
import { type CommitChoice, CommitForm } from './commit-form.tsx';
import { Frame } from './frame.tsx';
import type { Place } from './place.ts';
import { TextArea } from './text-area.tsx';

/** Creates a text file as a commit, below the folder of the page; an existing file is never replaced. */
export function NewFile({ place }: { readonly place: Place }) {
  const { type, repo, revision } = place;
  const hub = useHub();
  const [entered, setEntered] = useDraft('path', place.path === '' ? '' : `${place.path}/`);
  const [text, setText] = useDraft('content');
  const path = entered.trim().replace(/^\/+/, '');

  async function commit(choice: CommitChoice) {
    const at = { ...hub, type, repo };
    // The commit is refused if the branch moves after this look, so that nobody's new file is overwritten.
    const parentCommit = await commitAt({ ...at, revision });
    const [existing] = await getPathsInfo({ ...at, revision: parentCommit, paths: [path] });
    if (existing) throw new Error(`${path} exists already: edit it instead.`);
    return uploadFiles({ ...at, branch: revision, parentCommit, ...choice, files: [{ path, content: text }] });
  }

  return (
    <Frame place={{ ...place, path: '' }} title="New file">
      <CommitForm
        place={place}
        defaultMessage={`Create ${path === '' ? 'a file' : path}`}
        unsaved={text !== ''}
        isDraft
        ready={path !== '' && !path.endsWith('/')}
        commit={commit}
        next={{ ...place, page: 'blob', path }}
        back={{ ...place, page: 'tree' }}
      >
        <TextInput
          label="Path"
          description="Slashes separate folders."
          placeholder="folder/file.txt"
          value={entered}
          onChange={(event) => setEntered(event.currentTarget.value)}
        />
        <TextArea value={text} onChange={setText} />
      </CommitForm>
    </Frame>
  );
}
