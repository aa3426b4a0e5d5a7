import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { type LinkPurpose, useLink as spendLink } from '@moonbase/client/authentication';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub, useSession } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { isAboutPassword, NewPasswordField } from '../ui/secrets/new-password-field.tsx';
import { type LeftStep, leftStep, SecondStep } from './second-step.tsx';
import { Welcome } from './welcome.tsx';

type Purpose = Exclude<LinkPurpose, 'email'>;

const WORDS: Readonly<Record<Purpose, { readonly title: string; readonly text: string; readonly action: string }>> = {
  setup: {
    title: 'Set up Moonbase',
    text: 'You will be the administrator of this hub. Choose how you sign in.',
    action: 'Set up',
  },
  invite: {
    title: 'Welcome to Moonbase',
    text: 'You have been invited to this hub. Choose how you sign in.',
    action: 'Join',
  },
  reset: {
    title: 'Choose a new password',
    text: 'It takes the place of the old one. You are signed out everywhere else.',
    action: 'Set the password',
  },
  'sign-up': {
    title: 'Welcome to Moonbase',
    text: 'Choose how you sign in. The account has the address to which this link was mailed.',
    action: 'Create the account',
  },
};

/** Sets the password and, on the first visit, the name of the user of a link; creates the user of a sign-up. */
export function JoinForm(props: {
  readonly code: string;
  readonly purpose: Purpose;
  /** The name of the user; undefined if the link creates the user. */
  readonly user: string | undefined;
  /** The minimum number of characters in a password. */
  readonly passwordMin: number;
}) {
  const { code, purpose, user, passwordMin } = props;
  const { title, text, action } = WORDS[purpose];
  const hub = useHub();
  const { signInState, begin } = useSession();
  const [, navigate] = useLocation();
  const [name, setName] = useState(user ?? '');
  const [password, setPassword] = useState('');
  const [step, setStep] = useState<LeftStep>();
  const { act, busy, error } = useAct();
  const keepsName = purpose === 'reset';
  const newName = keepsName || name.trim() === user ? undefined : name.trim();
  const join = async () => {
    const left = leftStep(await spendLink({ ...hub, retry: false, code, password, name: newName }));
    if (left) setStep(left);
    else await enter();
  };
  const enter = async () => {
    await begin();
    // The code is removed from the history of the tab.
    navigate('/', { replace: true });
  };
  if (step)
    return (
      <Welcome title="The password is set">
        <SecondStep left={step} onSignedIn={() => void enter()} onExpired={() => navigate('/', { replace: true })} />
      </Welcome>
    );
  return (
    <Welcome title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(join);
        }}
      >
        <Stack>
          <Text size="sm">{text}</Text>
          {signInState.is === 'in' && (
            <Alert color="orange" p="sm">
              This browser is signed in already. From now on {name.trim() || 'the new user'} will be signed in here.
            </Alert>
          )}
          <TextInput
            label="User name"
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={42}
            required
            withAsterisk={false}
            readOnly={keepsName}
            description={keepsName ? undefined : 'Letters, digits and single dashes.'}
            autoFocus={user === undefined}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NewPasswordField
            label="New password"
            min={passwordMin}
            value={password}
            onChange={setPassword}
            error={error}
            autoFocus={user !== undefined}
          />
          {!isAboutPassword(error) && <Refused error={error} mt="0" />}
          <Button type="submit" loading={busy} fullWidth>
            {action}
          </Button>
        </Stack>
      </form>
    </Welcome>
  );
}
