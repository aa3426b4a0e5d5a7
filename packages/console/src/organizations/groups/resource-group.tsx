import { Paper, Stack, Text, Title } from '@mantine/core';
import { deleteResourceGroup, getResourceGroup, type ResourceGroup } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Trail } from '../../ui/trail.tsx';
import { useOrganizationName } from '../organization.tsx';
import { GroupCollections, GroupRepos } from './group-content.tsx';
import { GroupUsers } from './group-users.tsx';
import { pathOfGroups } from './path.ts';

/** The page of a resource group: its repositories and collections, and its users with their roles. */
export function ResourceGroupPage() {
  const organization = useOrganizationName();
  const { resourceGroupId = '' } = useParams();
  const one = { ...useHub(), organization, resourceGroupId };
  const [, go] = useLocation();
  const groups = pathOfGroups(organization);
  const query = useQuery({
    queryKey: ['resource-groups', organization, resourceGroupId],
    queryFn: ({ signal }) => getResourceGroup({ ...one, signal }),
  });
  const group = query.data;
  return (
    <Page
      title={group?.name ?? 'Resource group'}
      tab={`${group?.name ?? 'Resource group'} of ${organization}`}
      above={
        <Trail
          above={[
            { href: '/organizations', name: 'Organizations' },
            { href: `/organizations/${encodeURIComponent(organization)}`, name: organization },
            { href: groups, name: 'Resource groups' },
          ]}
        >
          {group?.name ?? resourceGroupId}
        </Trail>
      }
      actions={
        group && (
          <AskedButton
            label="Delete"
            size="sm"
            question={`Delete ${group.name}?`}
            does={() => deleteResourceGroup(one).then(() => go(groups))}
            changes={[['resource-groups', organization]]}
          >
            Its repositories and collections stay, open to the members of {organization} as their roles in it say; who
            saw them by this group alone no longer does.
          </AskedButton>
        )
      }
    >
      <Loaded query={query}>{(loaded) => <Parts group={loaded} />}</Loaded>
    </Page>
  );
}

function Parts({ group }: { readonly group: ResourceGroup }) {
  const { description, autoJoin } = group;
  return (
    <Stack>
      {(description || autoJoin?.enabled) && (
        <Text size="sm" c="dimmed" className="breaks">
          {description}
          {autoJoin?.enabled && ` Who joins the organization joins with the role ${autoJoin.role}.`}
        </Text>
      )}
      <Part heading="Repositories">
        <GroupRepos group={group} />
      </Part>
      <Part heading="Collections">
        <GroupCollections group={group} />
      </Part>
      <Part heading="Users">
        <GroupUsers group={group} />
      </Part>
    </Stack>
  );
}

function Part({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={heading}>
      <Title order={2}>{heading}</Title>
      {children}
    </Paper>
  );
}
