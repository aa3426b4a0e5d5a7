import { Paper, Stack, Text, Title } from '@mantine/core';
import { endOtherSessions, endSession, listSessions } from '@moonbase/client/sessions';
import type { ReactNode } from 'react';
import { DownloadData } from '../../personal-data/download-data.tsx';
import { useHub, useMe } from '../../session/session.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Settings } from '../settings.tsx';
import { EmailSettings } from './email-settings.tsx';
import { Identities } from './identities.tsx';
import { PasswordSettings } from './password-settings.tsx';
import { SecondFactorSettings } from './second-factor/second-factor-settings.tsx';
import { SESSIONS, Sessions } from './sessions.tsx';

/** The user's ways to sign in, and the user's sessions. */
export function SignInSettings() {
  const hub = useHub();
  const me = useMe();
  return (
    <Settings tab="Sign-in">
      <Loaded query={me}>
        {({ name, auth: { accessToken } }) => (
          <Stack>
            <Section title="Password">
              {accessToken ? (
                <Text size="sm">
                  This browser is signed in with the access token {accessToken.displayName}, which sets no password.
                  Sign in with your password, or ask a site administrator for a link that sets one.
                </Text>
              ) : (
                <PasswordSettings name={name} />
              )}
            </Section>
            <Section title="Second factor">
              <SecondFactorSettings mayChange={!accessToken} />
            </Section>
            <Section title="Providers">
              <Identities />
            </Section>
            <Section title="E-mail address">
              <EmailSettings mayChange={!accessToken} />
            </Section>
            <Sessions
              queryKey={SESSIONS}
              list={(signal) => listSessions({ ...hub, signal })}
              end={(sessionId) => endSession({ ...hub, sessionId })}
              endOthers={() => endOtherSessions(hub)}
              none="No browser is signed in as you."
            />
            <DownloadData of="me" />
          </Stack>
        )}
      </Loaded>
    </Settings>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
