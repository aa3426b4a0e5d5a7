import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';
import { Trail } from '../ui/trail.tsx';
import { useStanding } from './admin.ts';

export const useOrganizationName = (): string => useParams().name ?? '';

/** The frame of an organization page, with links to the parts that the user may read, as far as the console knows. */
export function Organization({ tab, children }: { readonly tab: string; readonly children: ReactNode }) {
  const name = useOrganizationName();
  const { isAdmin, isMember } = useStanding(name);
  const at = `/organizations/${encodeURIComponent(name)}`;
  return (
    <Page
      title={name}
      tab={`${tab} of ${name}`}
      above={<Trail above={[{ href: '/organizations', name: 'Organizations' }]}>{name}</Trail>}
    >
      <Sections
        label={`Parts of ${name}`}
        sections={[
          { href: at, name: 'Members' },
          ...(isMember
            ? [
                { href: `${at}/resource-groups`, name: 'Resource groups' },
                { href: `${at}/roles`, name: 'Roles' },
              ]
            : []),
          ...(isAdmin
            ? [
                { href: `${at}/tokens`, name: 'Tokens' },
                { href: `${at}/audit-log`, name: 'Audit log' },
                { href: `${at}/scim`, name: 'SCIM' },
                { href: `${at}/single-sign-on`, name: 'Single sign-on' },
              ]
            : []),
          ...(isMember
            ? [
                { href: `${at}/access`, name: 'Access' },
                { href: `${at}/storage`, name: 'Storage' },
              ]
            : []),
        ]}
      />
      {children}
    </Page>
  );
}
