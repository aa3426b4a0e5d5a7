import { Button, Group, Select } from '@mantine/core';
import { listResourceGroups } from '@moonbase/client/resource-groups';
import { createScimLink } from '@moonbase/client/scim-links';
import { listProvisionedGroups } from '@moonbase/client/scim-provisioning';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { RoleSelect } from './members/role-select.tsx';
import { useOrganizationName } from './organization.tsx';

const EVERYWHERE = '';
const MAX_GROUPS = 1000;

/** Adds a mapping of a group of the identity provider to a role; renders nothing without groups. */
export function NewScimLink() {
  const name = useOrganizationName();
  const hub = useHub();
  const [groupId, setGroupId] = useState<string | null>(null);
  const [place, setPlace] = useState(EVERYWHERE);
  const [role, setRole] = useState('read');
  const { act, busy, error, reset } = useAct(['scim-links', name], ['resource-groups', name], ['members', name]);
  const groups = useQuery({
    queryKey: ['scim-groups', name],
    queryFn: ({ signal }) =>
      listProvisionedGroups({ ...hub, name, count: MAX_GROUPS, attributes: 'displayName', signal }),
  });
  const places = useQuery({
    queryKey: ['resource-groups', name],
    queryFn: ({ signal }) => listResourceGroups({ ...hub, organization: name, signal }),
  });
  const found = groups.data?.Resources ?? [];
  if (found.length === 0) return <Refused error={groups.error} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (groupId === null) return;
        const link = { groupId, role, ...(place !== EVERYWHERE && { resourceGroupId: place }) };
        act(
          () => createScimLink({ ...hub, name, ...link }),
          () => setGroupId(null),
        );
      }}
    >
      <Group gap="xs" align="flex-end" mb="sm">
        <Select
          label="Group"
          className="grows"
          searchable
          data={found.map(({ id, displayName }) => ({ value: id, label: displayName }))}
          value={groupId}
          onChange={(chosen) => {
            setGroupId(chosen);
            reset();
          }}
        />
        <Select
          label="In"
          className="grows"
          allowDeselect={false}
          data={[
            { value: EVERYWHERE, label: 'The organization' },
            ...(places.data ?? []).map((each) => ({ value: each.id, label: each.name })),
          ]}
          value={place}
          onChange={(chosen) => chosen !== null && setPlace(chosen)}
        />
        <RoleSelect label="Role" labelled value={role} choose={setRole} />
        <Button type="submit" loading={busy} disabled={groupId === null}>
          Link
        </Button>
      </Group>
      <Refused error={error} />
    </form>
  );
}
