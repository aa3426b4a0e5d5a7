import { Badge, Button, Group, Paper, Select, Text, TextInput, Title } from '@mantine/core';
import {
  addResourceGroupUsers,
  deleteResourceGroup,
  type ResourceGroup,
  removeResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Failure } from '../ui/states.tsx';
import { ROLES } from './roles.ts';

/** One resource group: its users with their roles, and its repositories. */
export function ResourceGroupCard(props: {
  readonly organization: string;
  readonly group: ResourceGroup;
  readonly changed: () => Promise<unknown>;
}) {
  const { organization, group, changed } = props;
  const one = { ...useHub(), organization, resourceGroupId: group.id };
  const [user, setUser] = useState('');
  const [role, setRole] = useState('read');
  const [deleting, setDeleting] = useState(false);
  const change = useMutation({ mutationFn: (act: () => Promise<unknown>) => act(), onSuccess: changed });
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
      <Group gap={6} my="xs">
        {group.repos.length === 0 && (
          <Text size="sm" c="dimmed">
            No repositories in it.
          </Text>
        )}
        {group.repos.map(({ type, name }) => (
          <Badge key={`${type} ${name}`} variant="default">
            {type}: {name}
          </Badge>
        ))}
      </Group>
      <ul className="plain-list" aria-label={`Users of ${group.name}`}>
        {group.users.map((member) => (
          <Group key={member._id} component="li" className="row" py={6} px={4}>
            <Text size="sm" className="fills">
              {member.name}
            </Text>
            <Badge>{member.role}</Badge>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${member.name}`}
              onClick={() => change.mutate(() => removeResourceGroupUser({ ...one, username: member.name }))}
            >
              Remove
            </Button>
          </Group>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const users = [{ user: user.trim(), role }];
          change.mutate(() => addResourceGroupUsers({ ...one, users }), { onSuccess: () => setUser('') });
        }}
      >
        <Group gap="xs" mt="xs" align="flex-end">
          <TextInput
            label="Add a member"
            className="grows"
            value={user}
            onChange={(event) => setUser(event.currentTarget.value)}
          />
          <Select
            label="Role"
            w={140}
            allowDeselect={false}
            data={ROLES}
            value={role}
            onChange={(chosen) => chosen && setRole(chosen)}
          />
          <Button type="submit" variant="default" loading={change.isPending} disabled={user.trim() === ''}>
            Add
          </Button>
        </Group>
      </form>
      {change.error && !deleting && <Failure error={change.error} />}
      <Confirm
        opened={deleting}
        title={`Delete ${group.name}?`}
        action="Delete"
        busy={change.isPending}
        error={deleting ? change.error : null}
        close={() => setDeleting(false)}
        confirm={() => change.mutate(() => deleteResourceGroup(one), { onSuccess: () => setDeleting(false) })}
      >
        Its repositories stay; who saw them by this group alone no longer does.
      </Confirm>
    </Paper>
  );
}
