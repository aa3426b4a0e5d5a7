import { Alert, Anchor, Group } from '@mantine/core';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { returnTo } from '../session/return-to.ts';
import { useSession } from '../session/session.tsx';
import { To } from '../ui/link.tsx';
import { Failure } from '../ui/states.tsx';
import { ForgotForm } from './forgot-form.tsx';
import { type Methods, useSignInMethods } from './methods.ts';
import { PasswordForm } from './password-form.tsx';
import { ProviderButton } from './provider-button.tsx';
import { type LeftStep, SecondStep } from './second-step.tsx';
import { TokenForm } from './token-form.tsx';
import { Welcome } from './welcome.tsx';

const WAYS = {
  password: { Form: PasswordForm, name: 'Use a password instead' },
  token: { Form: TokenForm, name: 'Use an access token instead' },
  forgot: { Form: ForgotForm, name: 'Forgot the password?' },
} as const;
type Way = keyof typeof WAYS;

/** The ways to sign in that are offered until the hub responds. */
const USUAL: Methods = { password: true, token: true, mail: false, passwordMin: 0 };

/**
 * Returns whether this visit continues to the provider by itself: not after signing out, nor if the user wants another
 * way.
 */
const goesToProvider = (): boolean => new URLSearchParams(window.location.search).get('auto') !== 'false';

/**
 * The sign-in page: with a provider, a password and a code, or an access token. Afterwards the requested page opens.
 */
export function SignIn() {
  const { signInState, refresh, begin } = useSession();
  const { data, isPending } = useSignInMethods();
  const [chosen, setWay] = useState<Way>();
  const [step, setStep] = useState<LeftStep>();
  if (signInState.is === 'in') {
    const { search, hash, origin } = window.location;
    return <Redirect to={returnTo(search, origin) + hash} replace />;
  }
  if (signInState.is === 'unknown' && signInState.error === undefined) return null;
  if (step)
    return (
      <Welcome title={step === 'code' ? 'Is it you?' : 'A second factor'}>
        <SecondStep left={step} onSignedIn={() => void begin()} onExpired={() => setStep(undefined)} />
        <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setStep(undefined)}>
          Begin again
        </Anchor>
      </Welcome>
    );
  if (isPending && signInState.is === 'out') return null;
  const methods = data ?? USUAL;
  const organization = new URLSearchParams(window.location.search).get('organization') ?? undefined;
  const provider = organization === undefined ? methods.provider : { name: organization, organization };
  const ways: readonly Way[] = [
    ...(methods.password ? (['password'] as const) : []),
    ...(methods.token ? (['token'] as const) : []),
    ...(methods.password && methods.mail ? (['forgot'] as const) : []),
  ];
  const way = chosen ?? ways[0];
  const Form = way && WAYS[way].Form;
  const isAuto =
    organization === undefined && methods.provider?.auto === true && signInState.is === 'out' && !signInState.left;
  return (
    <Welcome title={way === 'forgot' ? 'Forgot the password?' : 'Sign in to Moonbase'}>
      {signInState.is === 'unknown' && <Failure error={signInState.error} retry={refresh} />}
      {signInState.is === 'out' && signInState.reason && <Alert color="orange">{signInState.reason}</Alert>}
      {provider && <ProviderButton {...provider} goesByItself={isAuto && goesToProvider()} />}
      {Form && <Form onSecondStep={setStep} />}
      <Group gap="md">
        {methods.signUp && (
          <To href="/join" size="sm" underline="always">
            Create an account
          </To>
        )}
        {ways
          .filter((other) => other !== way)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              size="sm"
              underline="always"
              onClick={() => setWay(other)}
            >
              {WAYS[other].name}
            </Anchor>
          ))}
      </Group>
    </Welcome>
  );
}
