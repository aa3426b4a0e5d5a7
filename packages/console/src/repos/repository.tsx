import { lazy } from 'react';
import { useLocation } from 'wouter';
import { NotFound } from '../shell/not-found.tsx';
import { CommitPage } from './commit-page.tsx';
import { Commits } from './commits.tsx';
import { EditFile } from './edit-file.tsx';
import { FilePage } from './file-page.tsx';
import { Folder } from './folder.tsx';
import { NewFile } from './new-file.tsx';
import { type Place, placeOf } from './place.ts';
import { Upload } from './upload.tsx';

const Discussions = lazy(() => import('./discussions/discussions.tsx').then((part) => ({ default: part.Discussions })));
const NewDiscussion = lazy(() =>
  import('./discussions/new-discussion.tsx').then((part) => ({ default: part.NewDiscussion })),
);
const Refs = lazy(() => import('./refs/refs.tsx').then(({ Refs }) => ({ default: Refs })));
const RepoSettings = lazy(() => import('./settings/settings.tsx').then((part) => ({ default: part.RepoSettings })));
const AccessRequests = lazy(() =>
  import('./settings/requests/access-requests.tsx').then((part) => ({ default: part.AccessRequests })),
);

/** The pages of a repository. */
export function Repository() {
  useLocation();
  const place = placeOf(window.location.pathname);
  if (!place) return <NotFound />;
  return <PageOf place={place} />;
}

function PageOf({ place }: { readonly place: Place }) {
  switch (place.page) {
    case 'tree':
      return <Folder place={place} />;
    case 'blob':
      return <FilePage place={place} />;
    case 'commits':
      return <Commits place={place} />;
    case 'commit':
      return <CommitPage place={place} />;
    case 'upload':
      return <Upload place={place} />;
    case 'new':
      return <NewFile place={place} />;
    case 'edit':
      return <EditFile place={place} />;
    case 'branches':
      return <Refs place={place} />;
    case 'discussions':
      return place.path === 'new' ? <NewDiscussion place={place} /> : <Discussions place={place} />;
    case 'settings':
      return place.path === '' ? <RepoSettings place={place} /> : <AccessRequests place={place} />;
  }
}
