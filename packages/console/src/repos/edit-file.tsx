import { uploadFiles } from '@moonbase/client/files';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useDraft } from '../ui/forms/drafts.ts';
import { Empty, Loaded } from '../ui/states.tsx';
import { CommitForm } from './commit-form.tsx';
import { useContent } from './content.ts';
import { Frame } from './frame.tsx';
import type { Place } from './place.ts';
import { TextArea } from './text-area.tsx';

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
            <Empty title="Not editable">The file is not text, or it is too large.</Empty>
          )
        }
      </Loaded>
    </Frame>
  );
}

function EditForm(props: { readonly place: Place; readonly before: string; readonly commit: string }) {
  const { place } = props;
  const { type, repo, revision, path } = place;
  const [{ before, commit }] = useState(props);
  const hub = useHub();
  // The draft names the commit that it began with, so that a newer version is not overwritten unnoticed.
  const [draft, setDraft] = useDraft('content', `${commit} ${before}`);
  const parentCommit = draft.slice(0, draft.indexOf(' '));
  const text = draft.slice(parentCommit.length + 1);
  const page = { ...place, page: 'blob' } as const;
  return (
    <CommitForm
      place={place}
      defaultMessage={`Edit ${path}`}
      ready={text !== before}
      unsaved={text !== before}
      isDraft
      commit={(choice) =>
        uploadFiles({
          ...{ ...hub, type, repo, branch: revision, parentCommit, ...choice },
          // Browsers return form fields without carriage returns.
          files: [{ path, content: before.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text }],
        })
      }
      next={page}
      back={page}
    >
      <TextArea value={text} onChange={(changed) => setDraft(`${parentCommit} ${changed}`)} />
    </CommitForm>
  );
}
