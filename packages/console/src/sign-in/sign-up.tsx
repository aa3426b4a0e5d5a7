import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { signUp } from '@moonbase/client/authentication';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { To } from '../ui/link.tsx';
import { Refused } from '../ui/refused.tsx';
import { Failure } from '../ui/states.tsx';
import { useSignInMethods } from './methods.ts';
import { Welcome } from './welcome.tsx';

/** The page on which people ask for the link that creates their account. */
export function SignUp() {
  const { data, error, refetch } = useSignInMethods();
  if (!data && !error) return null;
  return (
    <Welcome title="Create an account">
      {error && <Failure error={error} retry={refetch} />}
      {data?.signUp && <SignUpForm domains={data.signUp.domains} />}
      {data && !data.signUp && (
        <Text size="sm">Site administrators create the accounts of this hub. Ask one of them.</Text>
      )}
      <To href="/login" size="sm" underline="always">
        Sign in
      </To>
    </Welcome>
  );
}

/** Requests the link by mail. The text does not reveal whether an account has the address. */
function SignUpForm({ domains }: { readonly domains: readonly string[] }) {
  const hub = useHub();
  const [email, setEmail] = useState('');
  const [asked, setAsked] = useState(false);
  const { act, busy, error } = useAct();
  if (asked)
    return (
      <Alert role="status" title="Look into your mail">
        <Text size="sm" className="breaks">
          A link is on its way to {email.trim()}. It works once, for a day. If an account has this address already, the
          mail helps to sign in to that one.
        </Text>
      </Alert>
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(
          () => signUp({ ...hub, retry: false, email: email.trim() }),
          () => setAsked(true),
        );
      }}
    >
      <Stack>
        <TextInput
          label="E-mail address"
          description={`At ${domains.join(' or ')}. The hub mails you a link that creates the account.`}
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          autoFocus
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <Refused error={error} mt="0" />
        <Button type="submit" loading={busy} fullWidth>
          Send the link
        </Button>
      </Stack>
    </form>
  );
}
