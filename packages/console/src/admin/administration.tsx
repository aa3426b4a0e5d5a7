import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';

const SECTIONS = [
  { href: '/admin', name: 'Health' },
  { href: '/admin/users', name: 'Users' },
  { href: '/admin/organizations', name: 'Organizations' },
  { href: '/admin/dead-letters', name: 'Dead letters' },
  { href: '/admin/retention', name: 'Retention' },
  { href: '/admin/settings', name: 'Settings' },
  { href: '/admin/audit-log', name: 'Audit log' },
];

/** The frame of an administration page. Users who are not site administrators see the hub's refusal. */
export function Administration({ tab, children }: { readonly tab: string; readonly children: ReactNode }) {
  return (
    <Page title="Administration" tab={tab}>
      <Sections label="Administration" sections={SECTIONS} />
      {children}
    </Page>
  );
}
