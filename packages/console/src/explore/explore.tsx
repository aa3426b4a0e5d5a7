import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';
import { KINDS } from './kinds.ts';

const SECTIONS = [
  ...Object.entries(KINDS).map(([kind, { title }]) => ({ href: `/${kind}`, name: title })),
  { href: '/buckets', name: 'Buckets' },
  { href: '/collections', name: 'Collections' },
  { href: '/papers', name: 'Papers' },
];

/** The frame of the lists of everything that the user may see. */
export function Explore(props: { readonly title: string; readonly actions?: ReactNode; readonly children: ReactNode }) {
  const { title, actions, children } = props;
  return (
    <Page title={title} actions={actions}>
      <Sections label="Explore" sections={SECTIONS} />
      {children}
    </Page>
  );
}
