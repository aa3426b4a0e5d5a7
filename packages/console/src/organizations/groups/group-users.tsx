import { Button, Group, TextInput } from '@mantine/core';
import {
  addResourceGroupUsers,
  type ResourceGroup,
  removeResourceGroupUser,
  updateResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { AccountLink } from '../../ui/account-link.tsx';
import { useAct } from '../../ui/act.ts';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { useChosen } from '../../ui/chosen.ts';
import { Refused } from '../../ui/refused.tsx';
import { RoleSelect } from '../members/role-select.tsx';
import { useOrganizationName } from '../organization.tsx';

/** The users of a resource group, each with a role in the group. */
export function GroupUsers({ group }: { readonly group: ResourceGroup }) {
  const organization = useOrganizationName();
  const one = { ...useHub(), organization, resourceGroupId: group.id };
  const [user, setUser] = useState('');
  const [role, setRole] = useState('read');
  const { act, busy, error, reset } = useAct(['resource-groups', organization]);
  const { chosen, choose, forget } = useChosen<Record<string, string>>();
  const change = (username: string, given: string) => {
    choose({ [username]: given });
    act(() => updateResourceGroupUser({ ...one, username, role: given }), undefined, forget);
  };
  const users = [{ user: user.trim(), role }];
  return (
    <>
      <ul className="plain-list" aria-label={`Users of ${group.name}`}>
        {group.users.map(({ _id, name, avatarUrl, role: given }) => (
          <Group key={_id} component="li" className="row" py={6} px={4}>
            <div className="fills">
              <AccountLink account={{ name, avatarUrl }} size={26} />
            </div>
            <RoleSelect label={`Role of ${name}`} value={chosen[name] ?? given} choose={(role) => change(name, role)} />
            <AskedButton
              label="Remove"
              name={`Remove ${name}`}
              question={`Remove ${name} from ${group.name}?`}
              does={() => removeResourceGroupUser({ ...one, username: name })}
              changes={[['resource-groups', organization]]}
            >
              {name} loses what the role in this group gives, and stays a member of {organization}.
            </AskedButton>
          </Group>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(
            () => addResourceGroupUsers({ ...one, users }),
            () => setUser(''),
          );
        }}
      >
        <Group gap="xs" mt="xs" align="flex-end">
          <TextInput
            label="Add a member"
            className="grows"
            value={user}
            onChange={(event) => {
              setUser(event.currentTarget.value);
              reset();
            }}
          />
          <RoleSelect label="Role" labelled value={role} choose={setRole} />
          <Button type="submit" variant="default" loading={busy} disabled={user.trim() === ''}>
            Add
          </Button>
        </Group>
      </form>
      <Refused error={error} />
    </>
  );
}
