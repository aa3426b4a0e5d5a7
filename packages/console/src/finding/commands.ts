import { useMantineColorScheme } from '@mantine/core';
import { hrefOf, placeOf } from '../repos/place.ts';
import { useMe, useSession } from '../session/session.tsx';
import { placesFor } from '../shell/places.ts';
import type { Entry } from './entries.ts';

/** Returns what the palette offers without a search: parts of the repository of the page, pages, and actions. */
export function useCommands(showKeys: () => void): readonly Entry[] {
  const { data: me } = useMe();
  const { signOut } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const pages = placesFor(me?.isAdmin ?? false).map(({ href, label, key }) => page(label, href, key && `g ${key}`));
  const action = (label: string, open: () => void, keys?: string): Entry => ({
    ...{ id: label, label, kind: 'action', open },
    keys,
  });
  return [
    ...ofRepository(window.location.pathname),
    ...pages,
    ...(me ? [page('Your profile', `/${encodeURIComponent(me.name)}`)] : []),
    ...(me?.orgs ?? []).map(({ name }) => page(`Members of ${name}`, `/organizations/${encodeURIComponent(name)}`)),
    action('Keyboard shortcuts', showKeys, '?'),
    action('Theme: dark', () => setColorScheme('dark')),
    action('Theme: light', () => setColorScheme('light')),
    action('Theme: system', () => setColorScheme('auto')),
    action('Sign out', () => void signOut()),
  ];
}

function ofRepository(pathname: string): readonly Entry[] {
  const here = placeOf(pathname);
  if (!here) return [];
  const place = { ...here, revision: 'main', path: '' };
  const part = (name: string, part: Partial<typeof place>) =>
    page(`${name} ${here.repo}`, hrefOf({ ...place, ...part }));
  return [
    part('Files of', { page: 'tree' }),
    part('Commits of', { page: 'commits' }),
    part('Branches and tags of', { page: 'branches' }),
    part('Discussions of', { page: 'discussions' }),
    part('New discussion in', { page: 'discussions', path: 'new' }),
    part('Upload files to', { page: 'upload' }),
  ];
}

const page = (label: string, open: string, keys?: string): Entry => ({ id: open, label, kind: 'page', keys, open });
