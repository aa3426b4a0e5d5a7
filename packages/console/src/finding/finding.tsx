import { Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useMe } from '../session/session.tsx';
import { placesFor } from '../shell/places.ts';
import { Broken } from '../ui/broken.tsx';
import { mayLeave } from '../ui/forms/unsaved.ts';
import { ExploreIcon } from '../ui/icons.tsx';
import { isTaken, type Keys, useKeys } from '../ui/keys/keys.ts';
import { focusRow } from '../ui/keys/rows.ts';
import { part } from '../ui/updates/part.ts';

const Palette = part(() => import('./palette.tsx').then((page) => page.Palette));
const Shortcuts = part(() => import('./shortcuts.tsx').then((page) => page.Shortcuts));

type Dialog = 'palette' | 'shortcuts';

/** The button that opens the search, and the keys that act on every page. */
export function Finding() {
  const { data: me } = useMe();
  const [, go] = useLocation();
  const [opened, setOpened] = useState<Dialog>();
  // A dialog that was opened once stays there, so that it leaves with its transition and gives the focus back.
  const [loaded, setLoaded] = useState<ReadonlySet<Dialog>>(new Set());
  const open = useCallback((dialog: Dialog) => {
    setLoaded((before) => new Set([...before, dialog]));
    setOpened(dialog);
  }, []);
  const close = () => setOpened(undefined);
  const pages: Keys = Object.fromEntries(
    placesFor(me?.isAdmin ?? false).flatMap(({ key, href }) =>
      key === undefined ? [] : [[`g ${key}`, () => mayLeave() && go(href)]],
    ),
  );
  useKeys({
    ...pages,
    '/': () => open('palette'),
    '?': () => open('shortcuts'),
    j: () => focusRow(1),
    k: () => focusRow(-1),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isChord || event.key.toLowerCase() !== 'k' || isTaken(event)) return;
      event.preventDefault();
      open('palette');
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <>
      <UnstyledButton
        className="search-button"
        aria-label="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
        onClick={() => open('palette')}
      >
        <Group gap="xs" wrap="nowrap">
          <ExploreIcon size={16} />
          <Text size="sm" visibleFrom="sm">
            Search
          </Text>
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        </Group>
      </UnstyledButton>
      <Broken>
        <Suspense>
          {loaded.has('palette') && (
            <Palette opened={opened === 'palette'} close={close} showKeys={() => open('shortcuts')} />
          )}
          {loaded.has('shortcuts') && <Shortcuts opened={opened === 'shortcuts'} close={close} />}
        </Suspense>
      </Broken>
    </>
  );
}
