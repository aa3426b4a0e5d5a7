import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useRights } from '../threads/rights.ts';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';
import { Trail } from '../ui/trail.tsx';
import { hrefOf, type Place } from './place.ts';
import { useRefs } from './refs/use-refs.ts';

/** Returns whether the user may write to a repository, as far as the console knows; the hub decides. */
export const useMayWrite = ({ repo }: Place): boolean => useRights(repo.split('/')[0] ?? '').write;

/** What the tab calls the pages of a repository whose heading is the name of the repository. */
const TABS: Partial<Readonly<Record<Place['page'], string>>> = {
  commits: 'Commits',
  branches: 'Branches and tags',
  discussions: 'Discussions',
  settings: 'Settings',
};

/** A page of a repository: its owner and its parent folders, the branch or tag, and the content. */
export function Frame(props: {
  readonly place: Place;
  /** The heading; by default the name of the repository. */
  readonly title?: string | undefined;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { place, title = place.repo, actions, children } = props;
  const home = { ...place, page: 'tree', path: '' } as const;
  const mayWrite = useMayWrite(place);
  const [owner = ''] = place.repo.split('/');
  const part = title === place.repo ? TABS[place.page] : title;
  const tab = part === undefined ? place.repo : `${part} · ${place.repo}`;
  const folders = place.path.split('/').slice(0, -1);
  const above = [
    { href: `/${encodeURIComponent(owner)}`, name: owner },
    ...(title === place.repo ? [] : [{ href: hrefOf(home), name: place.repo }]),
    ...folders.map((name, at) => ({ href: hrefOf({ ...home, path: folders.slice(0, at + 1).join('/') }), name })),
  ];
  return (
    <Page title={title} tab={tab} above={<Trail above={above}>{title}</Trail>} actions={actions}>
      <Sections
        label="Parts of the repository"
        sections={[
          { href: hrefOf({ ...home, revision: 'main' }), name: 'Files' },
          { href: hrefOf({ ...home, page: 'commits' }), name: 'Commits' },
          { href: hrefOf({ ...home, page: 'branches' }), name: 'Branches and tags' },
          { href: hrefOf({ ...home, page: 'discussions' }), name: 'Discussions' },
          ...(mayWrite ? [{ href: hrefOf({ ...home, page: 'settings' }), name: 'Settings' }] : []),
        ]}
      />
      {children}
    </Page>
  );
}

/** Selects another branch or tag for the same page. */
export function RevisionSelect({ place }: { readonly place: Place }) {
  const { revision } = place;
  const [, go] = useLocation();
  const { data } = useRefs(place);
  const names = [...(data?.branches ?? []), ...(data?.tags ?? [])].map(({ name }) => name);
  return (
    <Select
      aria-label="Branch or tag"
      allowDeselect={false}
      searchable={names.length > 10}
      data={[...new Set([revision, ...names])]}
      value={revision}
      onChange={(chosen) => chosen !== null && go(hrefOf({ ...place, revision: chosen }))}
    />
  );
}
