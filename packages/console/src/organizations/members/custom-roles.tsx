import { Badge, Button, Group, Modal, Paper, Stack, Text } from '@mantine/core';
import {
  type CustomRole,
  createCustomRole,
  deleteCustomRole,
  listCustomRoles,
  updateCustomRole,
} from '@moonbase/client/custom-roles';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { useEntries } from '../../ui/entries.ts';
import { More } from '../../ui/more.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { useIsAdmin } from '../admin.ts';
import { Organization, useOrganizationName } from '../organization.tsx';
import { NO_ROLE, RoleForm } from './role-form.tsx';

/** The custom roles of an organization. */
export function CustomRoles() {
  const organization = useOrganizationName();
  const hub = useHub();
  const isAdmin = useIsAdmin(organization);
  const [editing, setEditing] = useState<CustomRole>();
  const { query, more } = useEntries(['roles', organization], (options) =>
    listCustomRoles({ ...hub, organization, ...options }),
  );
  // A changed name or base role shows in every list of members.
  const changes = [
    ['roles', organization],
    ['members', organization],
  ];
  const create = useAct(...changes);
  const update = useAct(...changes);
  return (
    <Organization tab="Roles">
      <Loaded query={query}>
        {(roles) => (
          <Stack>
            {isAdmin && (
              <Paper withBorder p="md">
                <RoleForm
                  initial={NO_ROLE}
                  nameLabel="New role"
                  action="Create"
                  busy={create.busy}
                  error={create.error}
                  save={({ description, ...role }, clear) =>
                    create.act(
                      () => createCustomRole({ ...hub, organization, ...role, ...(description && { description }) }),
                      clear,
                    )
                  }
                />
              </Paper>
            )}
            {roles.length === 0 ? (
              <Empty title="No roles of its own">A role has a name of yours and may what a built-in one may.</Empty>
            ) : (
              <Paper withBorder>
                <ul className="plain-list" aria-label="Roles">
                  {roles.map((role) => (
                    <Row
                      key={role.name}
                      role={role}
                      isAdmin={isAdmin}
                      edit={() => setEditing(role)}
                      remove={() => deleteCustomRole({ ...hub, organization, role: role.name })}
                      changes={changes}
                    />
                  ))}
                </ul>
                <More more={more} busy={query.isPlaceholderData} />
              </Paper>
            )}
          </Stack>
        )}
      </Loaded>
      <Modal
        opened={editing !== undefined}
        onClose={() => {
          setEditing(undefined);
          update.reset();
        }}
        title={`Role ${editing?.name}`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {editing && (
          <RoleForm
            initial={{ name: editing.name, base: editing.base, description: editing.description ?? '' }}
            nameLabel="Name"
            action="Save"
            busy={update.busy}
            error={update.error}
            save={({ description, ...role }) =>
              update.act(
                () =>
                  updateCustomRole({
                    ...{ ...hub, organization, role: editing.name },
                    ...{ ...role, description: description === '' ? null : description },
                  }),
                () => setEditing(undefined),
              )
            }
          />
        )}
      </Modal>
    </Organization>
  );
}

function Row(props: {
  readonly role: CustomRole;
  readonly isAdmin: boolean;
  readonly edit: () => void;
  readonly remove: () => Promise<unknown>;
  readonly changes: readonly QueryKey[];
}) {
  const { role, isAdmin, edit, remove, changes } = props;
  const { name, base, description, members } = role;
  return (
    <Group component="li" className="row" px="md" py="sm">
      <Text size="sm" fw={600} className="breaks">
        {name}
      </Text>
      <Badge>{base}</Badge>
      <Text size="sm" c="dimmed" className="fills breaks">
        {description} {members} {members === 1 ? 'member' : 'members'}
      </Text>
      {isAdmin && (
        <>
          <Button size="compact-sm" variant="default" aria-label={`Edit ${name}`} onClick={edit}>
            Edit
          </Button>
          <AskedButton
            label="Delete"
            name={`Delete ${name}`}
            question={`Delete the role ${name}?`}
            does={remove}
            changes={changes}
          >
            The hub refuses while a member, a resource group or an invitation has the role.
          </AskedButton>
        </>
      )}
    </Group>
  );
}
