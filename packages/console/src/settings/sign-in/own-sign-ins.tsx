import { Text } from '@mantine/core';
import { listOwnSignIns } from '@moonbase/client/sessions';
import { useHub } from '../../session/session.tsx';
import { To } from '../../ui/link.tsx';
import { Settings } from '../settings.tsx';
import { SignInTrail } from './sign-in-trail.tsx';

/** The user's own sign-ins, and the refused attempts to sign in as this user. */
export function OwnSignIns() {
  const hub = useHub();
  return (
    <Settings tab="Sign-in history">
      <Text size="sm" mb="sm">
        Sign-ins of the last 90 days, and attempts that were refused. If one of them was not you, change your password
        and sign out everywhere else under{' '}
        <To href="/settings/sign-in" underline="always">
          Sign-in
        </To>
        .
      </Text>
      <SignInTrail queryKey={['sign-ins']} list={(options) => listOwnSignIns({ ...hub, ...options })} />
    </Settings>
  );
}
