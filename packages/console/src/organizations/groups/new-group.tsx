import { Button, Group, Paper, TextInput } from '@mantine/core';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Refused } from '../../ui/refused.tsx';
import { useOrganizationName } from '../organization.tsx';
import { pathOfGroup } from './path.ts';

/** Creates a resource group, and leads to its page. */
export function NewGroup() {
  const organization = useOrganizationName();
  const hub = useHub();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const { act, busy, error } = useAct(['resource-groups', organization]);
  const create = async () => {
    const about = description.trim();
    const fields = { name: name.trim(), ...(about !== '' && { description: about }) };
    const { id } = await createResourceGroup({ ...hub, organization, ...fields });
    go(pathOfGroup(organization, id));
  };
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(create);
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label="New resource group"
            className="grows"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            label="Description"
            className="grows"
            maxLength={500}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} disabled={name.trim() === ''}>
            Create
          </Button>
        </Group>
      </form>
      <Refused error={error} />
    </Paper>
  );
}
