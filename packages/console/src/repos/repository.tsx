import { useLocation } from 'wouter';
import { NotFound } from '../shell/not-found.tsx';
import { part } from '../ui/updates/part.ts';
import { type Place, placeOf } from './place.ts';

const CommitPage = part(() => import('./commit-page.tsx').then((page) => page.CommitPage));
const Commits = part(() => import('./commits.tsx').then((page) => page.Commits));
const EditFile = part(() => import('./edit-file.tsx').then((page) => page.EditFile));
const FilePage = part(() => import('./file-page.tsx').then((page) => page.FilePage));
const Folder = part(() => import('./folder.tsx').then((page) => page.Folder));
const NewFile = part(() => import('./new-file.tsx').then((page) => page.NewFile));
const Upload = part(() => import('./upload.tsx').then((page) => page.Upload));
const Discussions = part(() => import('./discussions/discussions.tsx').then((page) => page.Discussions));
const NewDiscussion = part(() => import('./discussions/new-discussion.tsx').then((page) => page.NewDiscussion));
const Refs = part(() => import('./refs/refs.tsx').then((page) => page.Refs));
const RepoSettings = part(() => import('./settings/settings.tsx').then((page) => page.RepoSettings));
const AccessRequests = part(() =>
  import('./settings/requests/access-requests.tsx').then((page) => page.AccessRequests),
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
