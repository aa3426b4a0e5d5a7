import { Button, Stack } from '@mantine/core';
import { signIn } from '@moonbase/client/authentication';
import { useRef, useState } from 'react';
import { isRefusal } from '../session/queries.ts';
import { useHub, useSession } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { faultOf } from '../ui/fault.ts';
import { PasswordField } from '../ui/secrets/password-field.tsx';
import { NameField } from './name-field.tsx';
import { type LeftStep, leftStep } from './second-step.tsx';

/** Signs in with a name and a password. `onSecondStep` is called if a second step is needed. */
export function PasswordForm({ onSecondStep }: { readonly onSecondStep: (left: LeftStep) => void }) {
  const hub = useHub();
  const { begin } = useSession();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { act, busy, error } = useAct();
  const fault = error && (isRefusal(error) ? 'This name and password do not match.' : faultOf(error).message);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(
          async () => {
            // A rate limit must show at once, so there is no retry.
            const left = leftStep(await signIn({ ...hub, retry: false, name: name.trim(), password }));
            if (left) onSecondStep(left);
            else await begin();
          },
          undefined,
          () => field.current?.select(),
        );
      }}
    >
      <Stack>
        <NameField value={name} onChange={setName} />
        <PasswordField
          ref={field}
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={fault}
        />
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
