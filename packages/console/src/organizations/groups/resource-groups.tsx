import { Stack, Table, Text } from '@mantine/core';
import { listResourceGroups, type ResourceGroup } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { To } from '../../ui/link.tsx';
import { DataTable } from '../../ui/lists/data-table.tsx';
import { SearchField } from '../../ui/lists/search-field.tsx';
import { useUrlFilters } from '../../ui/lists/url-filters.ts';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useIsAdmin } from '../admin.ts';
import { Organization, useOrganizationName } from '../organization.tsx';
import { NewGroup } from './new-group.tsx';
import { pathOfGroup } from './path.ts';

const COLUMNS = [
  'Resource group',
  { name: 'Users', width: 100 },
  { name: 'Repositories', width: 120 },
  { name: 'Collections', width: 120 },
  { name: 'Joins by itself', width: 150 },
];

/** The resource groups of an organization. The hub lists all of them at once, so the page filters them by name. */
export function ResourceGroups() {
  const organization = useOrganizationName();
  const hub = useHub();
  const isAdmin = useIsAdmin(organization);
  const [params, change] = useUrlFilters();
  const search = params.get('search') ?? '';
  const query = useQuery({
    queryKey: ['resource-groups', organization],
    queryFn: ({ signal }) => listResourceGroups({ ...hub, organization, signal }),
  });
  const isNamed = ({ name }: ResourceGroup) => name.toLowerCase().includes(search.toLowerCase());
  return (
    <Organization tab="Resource groups">
      <Loaded query={query}>
        {(groups) => (
          <Stack>
            {isAdmin && <NewGroup />}
            {groups.length > 0 && (
              <SearchField
                label="Search resource groups"
                placeholder="Search by name"
                value={search}
                change={(text) => change({ search: text })}
              />
            )}
            {groups.length === 0 ? (
              <Empty title="No resource groups">A group decides who sees the private repositories in it.</Empty>
            ) : (
              <Rows groups={groups.filter(isNamed)} />
            )}
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}

function Rows({ groups }: { readonly groups: readonly ResourceGroup[] }) {
  const organization = useOrganizationName();
  if (groups.length === 0) return <Empty title="Nothing matches" />;
  return (
    <DataTable label="Resource groups" columns={COLUMNS} stacks>
      {groups.map(({ id, name, description, users, repos, collections, autoJoin }) => (
        <Table.Tr key={id}>
          <Table.Td>
            <To href={pathOfGroup(organization, id)} fw={600} size="sm" className="row-title">
              {name}
            </To>
            {description && (
              <Text size="xs" c="dimmed" className="breaks" lineClamp={2}>
                {description}
              </Text>
            )}
          </Table.Td>
          <Table.Td data-label="Users">{users.length}</Table.Td>
          <Table.Td data-label="Repositories">{repos.length}</Table.Td>
          <Table.Td data-label="Collections">{collections.length}</Table.Td>
          <Table.Td data-label="Joins by itself">{autoJoin?.enabled ? `as ${autoJoin.role}` : 'nobody'}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
