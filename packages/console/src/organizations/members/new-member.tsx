import { Button, Group, Paper, TextInput } from '@mantine/core';
import { createInvitation } from '@moonbase/client/invitations';
import { addMember } from '@moonbase/client/members';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Refused } from '../../ui/refused.tsx';
import { useOrganizationName } from '../organization.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { RoleSelect } from './role-select.tsx';

/** Adds a user, or invites one; an email address can only be invited. */
export function NewMember() {
  const name = useOrganizationName();
  const hub = useHub();
  const [who, setWho] = useState('');
  const [role, setRole] = useState('read');
  const [link, setLink] = useState<string>();
  const { act, busy, error, reset } = useAct(['members', name], ['invitations', name]);
  const clear = () => setWho('');
  const given = who.trim();
  const isEmail = given.includes('@');
  const invitee = isEmail ? { email: given } : { user: given };
  const add = () => act(() => addMember({ ...hub, name, username: given, role }), clear);
  const ask = async () => setLink((await createInvitation({ ...hub, name, role, ...invitee })).url);
  const invite = () => act(ask, clear);
  return (
    <Paper withBorder p="md" mb="sm" component="section" aria-label="New member">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isEmail) invite();
          else add();
        }}
      >
        <Group gap="xs" align="flex-end">
          <TextInput
            label="User name or e-mail address"
            className="grows"
            autoComplete="off"
            maxLength={254}
            value={who}
            onChange={(event) => {
              setWho(event.currentTarget.value);
              setLink(undefined);
              reset();
            }}
          />
          <RoleSelect label="Role" labelled value={role} choose={setRole} />
          <Button type={isEmail ? 'button' : 'submit'} loading={busy} disabled={given === '' || isEmail}>
            Add
          </Button>
          <Button
            type={isEmail ? 'submit' : 'button'}
            variant="default"
            loading={busy}
            disabled={given === ''}
            {...(!isEmail && { onClick: invite })}
          >
            Invite
          </Button>
        </Group>
      </form>
      <Refused error={error} />
      {link !== undefined && <InvitationLink link={link} />}
    </Paper>
  );
}
