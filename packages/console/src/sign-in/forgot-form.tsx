import { Alert, Button, Stack } from '@mantine/core';
import { requestReset } from '@moonbase/client/authentication';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { NameField } from './name-field.tsx';

/** Requests a password link by mail. The text does not reveal whether the hub knows the user. */
export function ForgotForm() {
  const hub = useHub();
  const [name, setName] = useState('');
  const [asked, setAsked] = useState(false);
  const { act, busy, error } = useAct();
  if (asked)
    return (
      <Alert role="status" title="Look into your mail">
        If {name.trim()} has a password here and a confirmed e-mail address, a link is on its way there. It works once,
        for 30 minutes.
      </Alert>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(
          () => requestReset({ ...hub, retry: false, name: name.trim() }),
          () => setAsked(true),
        );
      }}
    >
      <Stack>
        <NameField description="The hub mails you a link that sets another password." value={name} onChange={setName} />
        <Refused error={error} mt="0" />
        <Button type="submit" loading={busy} fullWidth>
          Send the link
        </Button>
      </Stack>
    </form>
  );
}
