import { Alert, Button, Text } from '@mantine/core';
import { confirmEmail } from '@moonbase/client/authentication';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { To } from '../ui/link.tsx';
import { Refused } from '../ui/refused.tsx';
import { Welcome } from './welcome.tsx';

/** Confirms the e-mail address of a user. Only the button uses the link, because mail programs may open it. */
export function ConfirmEmail(props: { readonly code: string; readonly user: string; readonly email: string }) {
  const { code, user, email } = props;
  const hub = useHub();
  const [done, setDone] = useState(false);
  const { act, busy, error } = useAct(['email'], ['me']);
  return (
    <Welcome title="Confirm your e-mail address">
      {done ? (
        <Alert role="status" title="Confirmed">
          <Text size="sm" className="breaks">
            {email} is the address of {user}.
          </Text>
        </Alert>
      ) : (
        <>
          <Text size="sm" className="breaks">
            {email} will be the address of the user {user}: for signing in, and for mail.
          </Text>
          <Refused error={error} mt="0" />
          <Button
            loading={busy}
            fullWidth
            onClick={() =>
              act(
                () => confirmEmail({ ...hub, retry: false, code }),
                () => setDone(true),
              )
            }
          >
            Confirm
          </Button>
        </>
      )}
      <To href="/" size="sm" underline="always">
        To the hub
      </To>
    </Welcome>
  );
}
