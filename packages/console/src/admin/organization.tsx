import { Button, Group } from '@mantine/core';
import { Link, useParams } from 'wouter';
import { AccountQuota } from '../storage/account-quota.tsx';
import { Page } from '../ui/page.tsx';
import { Trail } from '../ui/trail.tsx';

/** An organization as site administrators see it: its quota, and the way to its pages. */
export function AdministeredOrganization() {
  const { name = '' } = useParams();
  return (
    <Page
      title={name}
      tab={`Administration of ${name}`}
      above={
        <Trail
          above={[
            { href: '/admin', name: 'Administration' },
            { href: '/admin/organizations', name: 'Organizations' },
          ]}
        >
          {name}
        </Trail>
      }
      actions={
        <Group>
          <Button component={Link} href={`/organizations/${encodeURIComponent(name)}`} variant="default">
            Members
          </Button>
        </Group>
      }
    >
      <AccountQuota kind="org" key={name} name={name} />
    </Page>
  );
}
