import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { getEmail, setEmail } from '@moonbase/client/email';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useSignInMethods } from '../../sign-in/methods.ts';
import { Proof, useProvenAct } from '../../sign-in/proven-act.tsx';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { Loaded, Loading } from '../../ui/states.tsx';

const EMAIL = ['email'] as const;

/** The e-mail address of the user, confirmed or pending. */
export function EmailSettings({ mayChange }: { readonly mayChange: boolean }) {
  const hub = useHub();
  const query = useQuery({ queryKey: EMAIL, queryFn: ({ signal }) => getEmail({ ...hub, signal }) });
  const { data: methods } = useSignInMethods();
  return (
    <Loaded query={query} loading={<Loading rows={1} height={60} />}>
      {({ email, pending }) => (
        <Stack maw={420}>
          <Group gap="xs">
            <Text size="sm" className="breaks">
              {email ?? 'You have none.'}
            </Text>
            {email !== null && <Badge color="green">confirmed</Badge>}
          </Group>
          {pending && (
            <Text size="sm" role="status" className="breaks">
              A link has been mailed to {pending.email}. The address counts once you have opened the link, within a day.
            </Text>
          )}
          {mayChange && methods && (methods.mail ? <Change email={email} /> : <WithoutMail />)}
        </Stack>
      )}
    </Loaded>
  );
}

const WithoutMail = () => (
  <Text size="sm" c="dimmed">
    This hub sends no mail: a site administrator sets the address.
  </Text>
);

function Change({ email }: { readonly email: string | null }) {
  const hub = useHub();
  const [address, setAddress] = useState('');
  const proven = useProvenAct(EMAIL, ['me']);
  const { busy } = proven;
  const change = () =>
    proven.act(
      () => setEmail({ ...hub, retry: false, email: address.trim() }),
      () => setAddress(''),
    );
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          change();
        }}
      >
        <Stack>
          <TextInput
            label="New address"
            description="The hub mails a link there, which confirms it."
            type="email"
            name="email"
            autoComplete="email"
            maxLength={254}
            required
            withAsterisk={false}
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={busy}>
              Send the link
            </Button>
            {email !== null && (
              <AskedButton
                label="Remove the address"
                question={`Remove ${email}?`}
                action="Remove"
                size="sm"
                disabled={busy}
                does={() => setEmail({ ...hub, retry: false, email: null })}
                run={(does) => proven.act(does)}
              >
                You get no more email, and cannot reset a forgotten password by email.
              </AskedButton>
            )}
          </Group>
        </Stack>
      </form>
      <Proof of={proven} />
    </Stack>
  );
}
