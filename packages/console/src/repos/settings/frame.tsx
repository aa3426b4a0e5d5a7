import type { ReactNode } from 'react';
import { Sections } from '../../ui/sections.tsx';
import { Frame } from '../frame.tsx';
import { hrefOf, type Place } from '../place.ts';

/** The frame of a page with settings of a repository. */
export function SettingsFrame({ place, children }: { readonly place: Place; readonly children: ReactNode }) {
  const at = (path: string) => hrefOf({ ...place, page: 'settings', path });
  return (
    <Frame place={{ ...place, path: '' }}>
      <Sections
        label="Parts of the settings"
        sections={[
          { href: at(''), name: 'General' },
          { href: at('access-requests'), name: 'Access requests' },
        ]}
      />
      {children}
    </Frame>
  );
}
