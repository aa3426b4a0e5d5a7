import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { disableSecondFactor, getSecondFactor, renewRecoveryCodes } from '@moonbase/client/second-factors';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../../session/session.tsx';
import { Proof, useProvenAct } from '../../../sign-in/proven-act.tsx';
import { AskedButton } from '../../../ui/asking/asked-button.tsx';
import { Loaded, Loading } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { SESSIONS } from '../sessions.tsx';
import { NewAuthenticator } from './new-authenticator.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const SECOND_FACTOR = ['second-factor'] as const;

/** The second factor of the user: set-up, change, removal, and recovery codes. */
export function SecondFactorSettings({ mayChange }: { readonly mayChange: boolean }) {
  const hub = useHub();
  const query = useQuery({ queryKey: SECOND_FACTOR, queryFn: ({ signal }) => getSecondFactor({ ...hub, signal }) });
  const proven = useProvenAct(SECOND_FACTOR, SESSIONS);
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const onConfirmed = (made: readonly string[]) => {
    setAdding(false);
    setCodes(made);
  };
  return (
    <Loaded query={query} loading={<Loading rows={1} height={60} />}>
      {({ enabled, since, recoveryCodes = 0 }) => (
        <Stack maw={520}>
          <Group gap="xs">
            {enabled && <Badge color="green">on</Badge>}
            <Text size="sm">
              {enabled ? (
                <>
                  Signing in takes a code of your authenticator, since <Time at={since ?? ''} />.{' '}
                  {recoveryCodes === 1 ? 'One recovery code is left.' : `${recoveryCodes} recovery codes are left.`}
                </>
              ) : (
                'Signing in takes the password alone. With a second factor it takes a code, too, which an app on your phone shows.'
              )}
            </Text>
          </Group>
          {codes && <RecoveryCodes codes={codes} />}
          {adding && <NewAuthenticator onConfirmed={onConfirmed} changes={[SECOND_FACTOR, SESSIONS]} />}
          <Proof of={proven} />
          {mayChange && !adding && (
            <Group>
              <Button variant={enabled ? 'default' : 'filled'} onClick={() => setAdding(true)}>
                {enabled ? 'Use another authenticator' : 'Set up an authenticator'}
              </Button>
              {enabled && (
                <>
                  <Button
                    variant="default"
                    loading={proven.busy}
                    onClick={() => proven.act(async () => setCodes((await renewRecoveryCodes(hub)).recoveryCodes))}
                  >
                    New recovery codes
                  </Button>
                  <AskedButton
                    label="Remove the second factor"
                    question="Remove your second factor?"
                    action="Remove"
                    size="sm"
                    disabled={proven.busy}
                    does={() => disableSecondFactor(hub)}
                    run={(does) => proven.act(does, () => setCodes(undefined))}
                  >
                    Signing in takes the password alone. The authenticator and the recovery codes stop working.
                  </AskedButton>
                </>
              )}
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
