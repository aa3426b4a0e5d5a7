import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { deleteResourceGroup, type ResourceGroup } from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/confirm.tsx';
import { GroupRepos } from './group-repos.tsx';
import { GroupUsers } from './group-users.tsx';
import { useOrganizationName } from './organization.tsx';

/** One resource group: its repositories, and its users with their roles. */
export function ResourceGroupCard({ group }: { readonly group: ResourceGroup }) {
  const organization = useOrganizationName();
  const hub = useHub();
  const [deleting, setDeleting] = useState(false);
  const { act, busy, error, reset } = useAct(['resource-groups', organization]);
  return (
    <Paper withBorder p="md" component="section" aria-label={group.name}>
      <Group justify="space-between" mb="xs">
        <Title order={2} className="breaks">
          {group.name}
        </Title>
        <Button size="compact-sm" variant="default" onClick={() => setDeleting(true)}>
          Delete
        </Button>
      </Group>
      <Text size="sm" c="dimmed" className="breaks">
        {group.description}
        {group.autoJoin?.enabled && ` Who joins the organization joins with the role ${group.autoJoin.role}.`}
      </Text>
      <GroupRepos group={group} />
      <GroupUsers group={group} />
      <Confirm
        opened={deleting}
        title={`Delete ${group.name}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={() => {
          setDeleting(false);
          reset();
        }}
        confirm={() =>
          act(
            () => deleteResourceGroup({ ...hub, organization, resourceGroupId: group.id }),
            () => setDeleting(false),
          )
        }
      >
        Its repositories stay; who saw them by this group alone no longer does.
      </Confirm>
    </Paper>
  );
}
