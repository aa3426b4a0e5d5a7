import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';

const SECTIONS = [
  { href: '/settings', name: 'Notifications' },
  { href: '/settings/sign-in', name: 'Sign-in' },
  { href: '/settings/sign-ins', name: 'Sign-in history' },
  { href: '/settings/tokens', name: 'Access tokens' },
  { href: '/settings/applications', name: 'Applications' },
  { href: '/settings/watching', name: 'Watching and mutes' },
  { href: '/settings/mcp', name: 'MCP tools' },
  { href: '/settings/papers', name: 'Papers' },
  { href: '/settings/quotas', name: 'Quotas' },
];

/** The frame of a settings page. */
export function Settings({ tab, children }: { readonly tab: string; readonly children: ReactNode }) {
  return (
    <Page title="Settings" tab={tab}>
      <Sections label="Settings" sections={SECTIONS} />
      {children}
    </Page>
  );
}
