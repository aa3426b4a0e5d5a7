import { Button, Group, Paper, Text, Title } from '@mantine/core';
import type { UserEntry } from '@moonbase/client/admin';
import { getUserSecondFactor, resetSecondFactor } from '@moonbase/client/second-factors';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { SESSIONS } from '../../settings/sign-in/sessions.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';

/** Shows whether a user has a second factor, and removes the factor if the user has lost it. */
export function UserSecondFactor({ user: { id, name } }: { readonly user: UserEntry }) {
  const hub = useHub();
  const queryKey = ['admin', 'second-factor', id];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => getUserSecondFactor({ ...hub, username: name, signal }),
  });
  const { act, busy, error, reset } = useAct(queryKey, SESSIONS);
  const [asking, setAsking] = useState(false);
  const close = () => {
    setAsking(false);
    reset();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label="Second factor">
      <Title order={2} mb="xs">
        Second factor
      </Title>
      <Loaded query={query}>
        {({ enabled, since }) => (
          <Group>
            <Text size="sm" className="fills">
              {enabled ? (
                <>
                  An authenticator, since <Time at={since ?? ''} />.
                </>
              ) : (
                `${name} has no second factor.`
              )}
            </Text>
            {enabled && (
              <Button variant="default" onClick={() => setAsking(true)}>
                Remove
              </Button>
            )}
          </Group>
        )}
      </Loaded>
      <Confirm
        opened={asking}
        title={`Remove the second factor of ${name}?`}
        action="Remove"
        busy={busy}
        error={error}
        close={close}
        confirm={() => act(() => resetSecondFactor({ ...hub, username: name }), close)}
      >
        Make sure that it is {name} who asks: the password alone is enough then. Every session ends, and the user is
        told by mail.
      </Confirm>
    </Paper>
  );
}
