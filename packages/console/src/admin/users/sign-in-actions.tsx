import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { UserEntry } from '@moonbase/client/admin';
import { createUserLink } from '@moonbase/client/authentication';
import { endUserSessions } from '@moonbase/client/sessions';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { SESSIONS } from '../../settings/sign-in/sessions.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { Refused } from '../../ui/refused.tsx';
import { UserLink } from './user-link.tsx';

/** Creates links by which a user sets a password, and ends all sessions of the user. */
export function SignInActions({ user: { name, disabled } }: { readonly user: UserEntry }) {
  const hub = useHub();
  const [link, setLink] = useState<{ readonly purpose: 'invite' | 'reset'; readonly url: string }>();
  const links = useAct();
  const sessions = useAct(SESSIONS);
  const [ending, setEnding] = useState(false);
  const [ended, setEnded] = useState<number>();
  const make = (purpose: 'invite' | 'reset') =>
    links.act(async () => setLink({ purpose, url: (await createUserLink({ ...hub, username: name, purpose })).url }));
  const end = async () => setEnded((await endUserSessions({ ...hub, username: name })).ended);
  const stop = () => {
    setEnding(false);
    sessions.reset();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label="Sign-in">
      <Title order={2} mb="xs">
        Sign-in
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {disabled
          ? 'A disabled user cannot sign in.'
          : 'A link lets its user set a password. The hub does not send it: copy it and pass it on.'}
      </Text>
      <Group gap="xs">
        <Button variant="default" disabled={disabled} loading={links.busy} onClick={() => make('invite')}>
          Invitation link
        </Button>
        <Button variant="default" disabled={disabled} loading={links.busy} onClick={() => make('reset')}>
          Reset link
        </Button>
        <Button variant="default" onClick={() => setEnding(true)}>
          End all sessions
        </Button>
      </Group>
      <Refused error={links.error} />
      {link && <UserLink purpose={link.purpose} name={name} url={link.url} />}
      {ended !== undefined && (
        <Text size="sm" mt="sm" role="status">
          {ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`}
        </Text>
      )}
      <Confirm
        opened={ending}
        title={`End all sessions of ${name}?`}
        action="End all"
        busy={sessions.busy}
        error={sessions.error}
        close={stop}
        confirm={() => sessions.act(end, stop)}
      >
        Every browser in which {name} is signed in is signed out. The password and access tokens go on working.
      </Confirm>
    </Paper>
  );
}
