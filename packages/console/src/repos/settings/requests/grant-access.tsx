import { Button, Group, TextInput } from '@mantine/core';
import { grantAccess } from '@moonbase/client/gating';
import { useState } from 'react';
import { useHub } from '../../../session/session.tsx';
import { useAct } from '../../../ui/act.ts';
import { NAME_INPUT } from '../../../ui/forms/name-input.ts';
import { Refused } from '../../../ui/refused.tsx';
import type { Place } from '../../place.ts';

/** Grants a user access to a gated repository, whether the user has asked or not. */
export function GrantAccess({ place: { type, repo } }: { readonly place: Place }) {
  const hub = useHub();
  const [user, setUser] = useState('');
  const { act, busy, error, reset } = useAct(['access-requests', type, repo]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(
          () => grantAccess({ ...hub, type, repo, user: user.trim() }),
          () => setUser(''),
        );
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label="Grant access to"
          placeholder="User name"
          className="grows"
          {...NAME_INPUT}
          maxLength={42}
          value={user}
          onChange={(event) => {
            setUser(event.currentTarget.value);
            reset();
          }}
        />
        <Button type="submit" variant="default" loading={busy} disabled={user.trim() === ''}>
          Grant access
        </Button>
      </Group>
      <Refused error={error} />
    </form>
  );
}
