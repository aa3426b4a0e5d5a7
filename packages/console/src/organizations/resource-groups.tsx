import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { createResourceGroup, listResourceGroups } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { useIsAdmin } from './admin.ts';
import { Organization, useOrganizationName } from './organization.tsx';
import { ResourceGroupCard } from './resource-group-card.tsx';

/** The resource groups of an organization. */
export function ResourceGroups() {
  const organization = useOrganizationName();
  const hub = useHub();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const isAdmin = useIsAdmin(organization);
  const queryKey = ['resource-groups', organization];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => listResourceGroups({ ...hub, organization, signal }) });
  const { act, busy, error } = useAct(queryKey);
  const about = description.trim();
  const create = () =>
    act(
      () =>
        createResourceGroup({ ...hub, organization, name: name.trim(), ...(about !== '' && { description: about }) }),
      () => {
        setName('');
        setDescription('');
      },
    );
  return (
    <Organization tab="Resource groups">
      <Loaded query={query}>
        {(groups) => (
          <Stack>
            {isAdmin && (
              <Paper withBorder p="md">
                <form
                  onSubmit={(event) => {
                    event.preventDefault();
                    create();
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
            )}
            {groups.length === 0 && (
              <Empty title="No resource groups">A group decides who sees the private repositories in it.</Empty>
            )}
            {groups.map((group) => (
              <ResourceGroupCard key={group.id} group={group} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}
