import { Badge, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { createCustomRole, deleteCustomRole, listCustomRoles } from '@moonbase/client/custom-roles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Empty, Failure, Loaded } from '../ui/states.tsx';
import { Organization, useOrganizationName } from './organization.tsx';
import { ROLES } from './roles.ts';

type Base = Parameters<typeof createCustomRole>[0]['base'];

/** Roles that an organization made itself. */
export function CustomRoles() {
  const organization = useOrganizationName();
  const hub = useHub();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [base, setBase] = useState('read');
  const { query, more } = useEntries(['roles', organization], (options) =>
    listCustomRoles({ ...hub, organization, ...options }),
  );
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['roles', organization] }),
  });
  return (
    <Organization tab="Roles">
      <Loaded query={query}>
        {(roles) => (
          <Stack>
            <Paper withBorder p="md">
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  const role = { name: name.trim(), base: base as Base };
                  change.mutate(() => createCustomRole({ ...hub, organization, ...role }), {
                    onSuccess: () => setName(''),
                  });
                }}
              >
                <Group gap="xs" align="flex-end">
                  <TextInput
                    label="New role"
                    className="grows"
                    maxLength={64}
                    value={name}
                    onChange={(event) => setName(event.currentTarget.value)}
                  />
                  <Select
                    label="May what this one may"
                    w={190}
                    allowDeselect={false}
                    data={ROLES}
                    value={base}
                    onChange={(chosen) => chosen && setBase(chosen)}
                  />
                  <Button type="submit" loading={change.isPending} disabled={name.trim() === ''}>
                    Create
                  </Button>
                </Group>
              </form>
              {change.error && <Failure error={change.error} />}
            </Paper>
            {roles.length === 0 ? (
              <Empty title="No roles of its own">A role has a name of yours and may what a built-in one may.</Empty>
            ) : (
              <Paper withBorder>
                <ul className="plain-list" aria-label="Roles">
                  {roles.map((role) => (
                    <Group key={role.name} component="li" className="row" px="md" py="sm">
                      <Text size="sm" fw={600} className="breaks">
                        {role.name}
                      </Text>
                      <Badge>{role.base}</Badge>
                      <Text size="sm" c="dimmed" className="fills breaks">
                        {role.description} {role.members} {role.members === 1 ? 'member' : 'members'}
                      </Text>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Delete ${role.name}`}
                        onClick={() => change.mutate(() => deleteCustomRole({ ...hub, organization, role: role.name }))}
                      >
                        Delete
                      </Button>
                    </Group>
                  ))}
                </ul>
                <More more={more} busy={query.isPlaceholderData} />
              </Paper>
            )}
          </Stack>
        )}
      </Loaded>
    </Organization>
  );
}
