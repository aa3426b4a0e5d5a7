import { Button, Group, Paper, Stack, TextInput } from '@mantine/core';
import { createResourceGroup, listResourceGroups } from '@moonbase/client/resource-groups';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Organization, useOrganizationName } from './organization.tsx';
import { ResourceGroupCard } from './resource-group-card.tsx';

/** Who sees which repositories of an organization. */
export function ResourceGroups() {
  const organization = useOrganizationName();
  const hub = useHub();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const queryKey = ['resource-groups', organization];
  const query = useQuery({ queryKey, queryFn: ({ signal }) => listResourceGroups({ ...hub, organization, signal }) });
  const create = useMutation({
    mutationFn: () => createResourceGroup({ ...hub, organization, name: name.trim() }),
    async onSuccess() {
      setName('');
      await queries.invalidateQueries({ queryKey });
    },
  });
  return (
    <Organization tab="Resource groups">
      <Loaded query={query}>
        {(groups) => (
          <Stack>
            <Paper withBorder p="md">
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  create.mutate();
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
                  <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
                    Create
                  </Button>
                </Group>
              </form>
              {create.error && <Failure error={create.error} />}
            </Paper>
            {groups.length === 0 && (
              <Empty title="No resource groups">A group decides who sees the private repositories in it.</Empty>
            )}
            {groups.map((group) => (
              <ResourceGroupCard
                key={group.id}
                organization={organization}
                group={group}
                changed={() => queries.invalidateQueries({ queryKey })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}
