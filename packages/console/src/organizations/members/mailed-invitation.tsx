import { Button, Group, Paper, Text } from '@mantine/core';
import { acceptInvitation } from '@moonbase/client/invitations';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Refused } from '../../ui/refused.tsx';

/** Returns the invitation in the fragment of the URL, `#invitation=ID.SECRET`, which browsers do not send. */
function invitationIn(fragment: string) {
  const [, invitationId, secret] = /^#invitation=([0-9a-f]{24})\.([\w-]{43})$/.exec(fragment) ?? [];
  return invitationId === undefined || secret === undefined ? undefined : { invitationId, secret };
}

/** Accepts the invitation by email whose link opened the page; renders nothing without one. */
export function MailedInvitation() {
  const hub = useHub();
  const [invitation, setInvitation] = useState(() => invitationIn(window.location.hash));
  const { act, busy, error } = useAct(['own-invitations'], ['me']);
  if (!invitation) return null;
  const leave = () => {
    // The secret is removed from the URL and the history.
    window.history.replaceState(null, '', window.location.pathname);
    setInvitation(undefined);
  };
  return (
    <Paper withBorder mb="md" p="md" component="section" aria-label="Invitation by mail">
      <Group>
        <Text size="sm" className="fills">
          You have opened an invitation to an organization.
        </Text>
        <Button size="compact-sm" variant="default" onClick={leave}>
          Not now
        </Button>
        <Button
          size="compact-sm"
          loading={busy}
          onClick={() => act(() => acceptInvitation({ ...hub, ...invitation }), leave)}
        >
          Join
        </Button>
      </Group>
      <Refused error={error} />
    </Paper>
  );
}
