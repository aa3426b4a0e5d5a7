import { Stack, TextInput } from '@mantine/core';
import { createOrganization } from '@moonbase/client/organizations';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { NAME_INPUT } from '../ui/forms/name-input.ts';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Trail } from '../ui/trail.tsx';

/** Creates an organization, of which the user becomes the first admin. */
export function NewOrganization() {
  const hub = useHub();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [fullname, setFullname] = useState('');
  // The user's own organizations are part of what the hub says about the user.
  const { act, busy, error, reset } = useAct(['me']);
  const create = async () => {
    const title = fullname.trim();
    await createOrganization({ ...hub, name: name.trim(), ...(title !== '' && { fullname: title }) });
  };
  return (
    <Page
      title="New organization"
      above={<Trail above={[{ href: '/organizations', name: 'Organizations' }]}>New</Trail>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(create, () => go(`/organizations/${name.trim()}`));
        }}
      >
        <Stack maw={640}>
          <TextInput
            label="Name"
            description="Letters, digits and single dashes: the first part of the names of its repositories"
            {...NAME_INPUT}
            maxLength={42}
            required
            withAsterisk={false}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              reset();
            }}
          />
          <TextInput
            label="Full name"
            autoComplete="off"
            maxLength={200}
            value={fullname}
            onChange={(event) => setFullname(event.currentTarget.value)}
          />
          <Refused error={error} mt="0" />
          <FormEnd submit="Create organization" busy={busy} disabled={name.trim() === ''} back="/organizations" />
        </Stack>
      </form>
    </Page>
  );
}
