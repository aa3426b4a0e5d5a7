import { Button, Stack, TextInput } from '@mantine/core';
import { signInSecondStep } from '@moonbase/client/authentication';
import { HubApiError } from '@moonbase/client/errors';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useHub } from '../session/session.tsx';
import { faultOf } from '../ui/fault.ts';

/** The second step of signing in: the code of an authenticator, or a recovery code. */
export function CodeForm({
  onSignedIn,
  onExpired,
}: {
  readonly onSignedIn: () => void;
  readonly onExpired: () => void;
}) {
  const hub = useHub();
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error } = useMutation({
    // A wrong code must not end the session, as other responses with 401 do.
    mutationFn: () => signInSecondStep({ ...hub, retry: false, code }).catch(refusalOf),
    onSuccess: onSignedIn,
    onError: (fault) => (fault === EXPIRED ? onExpired() : field.current?.select()),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <TextInput
          ref={field}
          label="Code"
          description="What your authenticator shows, or a recovery code."
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={100}
          autoFocus
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={error && faultOf(error).message}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

const EXPIRED = new Error('Signing in took too long. Begin again.');

function refusalOf(error: unknown): never {
  if (!(error instanceof HubApiError) || error.status !== 401) throw error;
  throw error.code === 'SignInExpired' ? EXPIRED : new Error('This code is wrong, or was used before.');
}
