import { Button, Stack, Text } from '@mantine/core';
import { signInSecondStep } from '@moonbase/client/authentication';
import { HubApiError } from '@moonbase/client/errors';
import { type NewSecondFactor, setUpSecondFactor } from '@moonbase/client/second-factors';
import { useEffect, useRef, useState } from 'react';
import { useHub } from '../session/session.tsx';
import { FirstCode } from '../settings/sign-in/second-factor/first-code.tsx';
import { RecoveryCodes } from '../settings/sign-in/second-factor/recovery-codes.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';

/** Sets up a second factor that the hub requires for signing in. */
export function RequiredFactor({
  onSignedIn,
  onExpired,
}: {
  readonly onSignedIn: () => void;
  readonly onExpired: () => void;
}) {
  const hub = useHub();
  const [made, setMade] = useState<NewSecondFactor>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { act, error } = useAct();
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    act(async () => setMade(await setUpSecondFactor(hub).catch(restartOnRefusal(onExpired))));
  }, [act, hub, onExpired]);
  if (codes)
    return (
      <Stack>
        <RecoveryCodes codes={codes} />
        <Button onClick={onSignedIn} fullWidth>
          Go on
        </Button>
      </Stack>
    );
  if (!made) return <Refused error={error} mt="0" />;
  return (
    <Stack>
      <Text size="sm">This hub wants more than a password: set up an authenticator now.</Text>
      <FirstCode
        made={made}
        action="Sign in"
        confirm={async (code) => {
          const { recoveryCodes = [] } = await signInSecondStep({ ...hub, retry: false, code }).catch(
            restartOnRefusal(onExpired),
          );
          setCodes(recoveryCodes);
        }}
      />
    </Stack>
  );
}

/** Starts the sign-in again if the first step is too old, without ending a session. */
const restartOnRefusal =
  (onExpired: () => void) =>
  (error: unknown): never => {
    if (!(error instanceof HubApiError) || error.status !== 401) throw error;
    onExpired();
    throw new Error('Signing in took too long. Begin again.');
  };
