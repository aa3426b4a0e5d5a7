import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { type DeviceLogin, decideDeviceLogin, getDeviceLogin } from '@moonbase/client/oauth';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { needsRecentSignIn, SignInAgain } from '../sign-in/sign-in-again.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { RequestSummary, selectedIn } from './request-summary.tsx';

/**
 * Logs in a program without a browser. The code must be typed even if the URL contains it, because a link proves
 * nothing.
 */
export function Device() {
  const hub = useHub();
  const [userCode, setUserCode] = useState('');
  const [done, setDone] = useState<'allow' | 'deny'>();
  const lookUp = useMutation({ mutationFn: (code: string) => getDeviceLogin({ ...hub, userCode: code }) });
  if (done !== undefined)
    return (
      <Page title="Log in a program">
        <Empty title={done === 'allow' ? 'The program is logged in' : 'The program was refused'}>
          You can close this page.
        </Empty>
      </Page>
    );
  return (
    <Page title="Log in a program">
      {lookUp.data ? (
        <Decision login={lookUp.data} userCode={userCode} onDone={setDone} />
      ) : (
        <Paper
          withBorder
          p="md"
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            lookUp.mutate(userCode);
          }}
        >
          <Stack>
            <TextInput
              label="Code"
              description="The program shows it. Go on only if you began this login yourself: nobody else has a reason to give you a code."
              placeholder="ABCD-EFGH"
              autoComplete="off"
              spellCheck={false}
              autoFocus
              required
              value={userCode}
              onChange={(event) => setUserCode(event.currentTarget.value)}
            />
            {lookUp.error && <Failure error={lookUp.error} />}
            <Group>
              <Button type="submit" loading={lookUp.isPending}>
                Continue
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
    </Page>
  );
}

function Decision(props: {
  readonly login: DeviceLogin;
  readonly userCode: string;
  readonly onDone: (decision: 'allow' | 'deny') => void;
}) {
  const { login, userCode, onDone } = props;
  const hub = useHub();
  const [organizations, setOrganizations] = useState(() => selectedIn(login));
  const decide = useMutation({
    mutationFn: (decision: 'allow' | 'deny') => decideDeviceLogin({ ...hub, userCode, decision, organizations }),
    onSuccess: (_, decision) => onDone(decision),
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <RequestSummary request={login} picked={organizations} pick={setOrganizations} />
        <Text size="sm" c="dimmed" className="breaks">
          It waits at {login.address}
          {login.userAgent !== undefined && ` (${login.userAgent})`}, since <Time at={login.createdAt} />.
        </Text>
        {needsRecentSignIn(decide.error) ? (
          <SignInAgain onSignedIn={() => decide.mutate('allow')} />
        ) : (
          decide.error && <Failure error={decide.error} />
        )}
        <Group>
          <Button loading={decide.isPending} onClick={() => decide.mutate('allow')}>
            Log it in
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate('deny')}>
            Refuse
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
