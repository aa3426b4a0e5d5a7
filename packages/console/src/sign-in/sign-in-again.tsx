import { Button, Group, Paper, Stack, Title } from '@mantine/core';
import { signIn } from '@moonbase/client/authentication';
import { HubApiError } from '@moonbase/client/errors';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { pageHere } from '../session/return-to.ts';
import { useHub, useMe } from '../session/session.tsx';
import { faultOf } from '../ui/fault.ts';
import { PasswordField } from '../ui/secrets/password-field.tsx';
import { CodeForm } from './code-form.tsx';
import { useSignInMethods } from './methods.ts';
import { ProviderButton } from './provider-button.tsx';

/** Returns whether the hub refused an action because the user did not sign in recently. */
export const needsRecentSignIn = (error: unknown): boolean =>
  error instanceof HubApiError && error.code === 'RecentSignInNeeded';

/** Lets the user sign in again in the middle of an action, with the second step if there is one. */
export function SignInAgain({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const hub = useHub();
  const { data: me } = useMe();
  const { data: methods } = useSignInMethods();
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const signInAgain = useMutation({
    mutationFn: () => signIn({ ...hub, retry: false, name: me?.name ?? '', password }).catch(refusalOf),
    onSuccess: ({ secondFactor }) => (secondFactor ? setNeedsCode(true) : onSignedIn()),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Is it still you?">
      <Title order={3} mb="sm">
        Is it still you?
      </Title>
      {needsCode ? (
        <CodeForm onSignedIn={onSignedIn} onExpired={() => setNeedsCode(false)} />
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            signInAgain.mutate();
          }}
        >
          <Stack gap="sm">
            <PasswordField
              label="Current password"
              description="You signed in a while ago."
              name="password"
              autoComplete="current-password"
              autoFocus
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={signInAgain.error && faultOf(signInAgain.error).message}
            />
            <Group>
              <Button type="submit" loading={signInAgain.isPending}>
                Sign in and go on
              </Button>
            </Group>
            {methods?.provider && <ProviderButton {...methods.provider} page={pageHere()} again />}
          </Stack>
        </form>
      )}
    </Paper>
  );
}

/** Throws another error for a wrong password, which must not end the session as other responses with 401 do. */
function refusalOf(error: unknown): never {
  throw error instanceof HubApiError && error.status === 401 ? new Error('This is not your current password.') : error;
}
