import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { listResourceGroups } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { RoleSelect } from '../members/role-select.tsx';
import { useOrganizationName } from '../organization.tsx';
import type { MappedRole } from './draft.ts';

const EVERYWHERE = '';

/** The roles that groups of a provider give. */
export function RoleMapping(props: {
  readonly mapping: readonly MappedRole[];
  readonly change: (mapping: readonly MappedRole[]) => void;
}) {
  const { mapping, change } = props;
  const hub = useHub();
  const organization = useOrganizationName();
  const { data: places = [] } = useQuery({
    queryKey: ['resource-groups', organization],
    queryFn: ({ signal }) => listResourceGroups({ ...hub, organization, signal }),
  });
  const update = (key: number, changed: Partial<MappedRole>) =>
    change(mapping.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const add = () =>
    change([
      ...mapping,
      { key: Math.max(0, ...mapping.map(({ key }) => key + 1)), group: '', role: 'read', resourceGroupId: null },
    ]);
  const placesWith = (id: string | null) => [
    { value: EVERYWHERE, label: 'The organization' },
    ...places.map((place) => ({ value: place.id, label: place.name })),
    // A resource group that is gone stays visible, so that its mapping can be removed.
    ...(id === null || places.some((place) => place.id === id) ? [] : [{ value: id, label: id }]),
  ];
  return (
    <Stack gap="xs" role="group" aria-label="Roles by group">
      <Text size="sm">
        A member has the best role of the groups that the provider names, anew at each sign-in. If groups give roles in
        the organization, one must give the role admin. In a resource group named here, a member without a mapped group
        has no role.
      </Text>
      {mapping.map(({ key, group, role, resourceGroupId }, at) => (
        <Group key={key} gap="xs">
          <TextInput
            aria-label={`Group ${at + 1}`}
            placeholder="engineers"
            className="grows"
            value={group}
            onChange={(event) => update(key, { group: event.currentTarget.value })}
          />
          <Select
            aria-label={`Where group ${at + 1} has its role`}
            w={180}
            allowDeselect={false}
            data={placesWith(resourceGroupId)}
            value={resourceGroupId ?? EVERYWHERE}
            onChange={(place) =>
              place !== null && update(key, { resourceGroupId: place === EVERYWHERE ? null : place })
            }
          />
          <RoleSelect label={`Role by group ${at + 1}`} value={role} choose={(given) => update(key, { role: given })} />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove group ${at + 1}`}
            onClick={() => change(mapping.filter((each) => each.key !== key))}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Group>
        <Button size="xs" variant="default" onClick={add}>
          Add a group
        </Button>
      </Group>
    </Stack>
  );
}
