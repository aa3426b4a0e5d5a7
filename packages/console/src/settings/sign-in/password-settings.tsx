import { Button, Group, Stack } from '@mantine/core';
import { setPassword } from '@moonbase/client/sessions';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useSignInMethods } from '../../sign-in/methods.ts';
import { Proof, useProvenAct } from '../../sign-in/proven-act.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { isAboutPassword, NewPasswordField } from '../../ui/secrets/new-password-field.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';
import { SESSIONS } from './sessions.tsx';

/** Changes the password. */
export function PasswordSettings({ name }: { readonly name: string }) {
  const hub = useHub();
  const methods = useSignInMethods();
  const [password, setNew] = useState('');
  const [done, setDone] = useState<object>();
  const proven = useProvenAct(SESSIONS);
  const { busy, error } = proven;
  const change = () =>
    proven.act(
      () => setPassword({ ...hub, retry: false, password }),
      () => {
        setNew('');
        setDone({});
      },
    );
  return (
    <Loaded query={methods} loading={<Loading rows={1} height={36} />}>
      {({ passwordMin }) => (
        <Stack maw={420}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              change();
            }}
          >
            <Stack>
              {/* Password managers store a password with a user name. */}
              <input type="text" hidden name="username" autoComplete="username" value={name} readOnly />
              <NewPasswordField
                label="New password"
                min={passwordMin}
                value={password}
                onChange={setNew}
                error={error}
              />
              <Group>
                <Button type="submit" loading={busy}>
                  Change the password
                </Button>
              </Group>
            </Stack>
          </form>
          {!isAboutPassword(error) && <Proof of={proven} />}
          <Outcome of={done} error={null} text="The password is changed. All other browsers are signed out." good />
        </Stack>
      )}
    </Loaded>
  );
}
