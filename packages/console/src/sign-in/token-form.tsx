import { Button, Stack, TextInput } from '@mantine/core';
import { signInWithToken } from '@moonbase/client/authentication';
import { useState } from 'react';
import { isRefusal } from '../session/queries.ts';
import { useHub, useSession } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { faultOf } from '../ui/fault.ts';

/** Signs in with an access token, which is not stored: the session has the rights of the token and ends with it. */
export function TokenForm() {
  const hub = useHub();
  const { begin } = useSession();
  const [token, setToken] = useState('');
  const { act, busy, error } = useAct();
  const fault = error && (isRefusal(error) ? 'The hub does not know this token.' : faultOf(error).message);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(async () => {
          await signInWithToken({ ...hub, retry: false, token: token.trim() });
          await begin();
        });
      }}
    >
      <Stack>
        {/* A masked text field, because the browser would offer to store the content of a password field. */}
        <TextInput
          classNames={{ input: 'masked' }}
          placeholder=" "
          label="Access token"
          description="It begins with hf_. This browser may then do what the token may, until the token is deleted."
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          autoFocus
          required
          withAsterisk={false}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={fault}
        />
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
