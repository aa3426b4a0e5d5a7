import { Alert, Anchor, Button, Center, Checkbox, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { faultOf } from '../ui/fault.ts';
import { Moon } from '../ui/icons.tsx';
import { useTitle } from '../ui/title.ts';
import { useSession } from './session.tsx';

export function SignIn() {
  useTitle('Sign in');
  const { signIn, reason } = useSession();
  const [token, setToken] = useState('');
  const [remember, setRemember] = useState(false);
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await signIn(token.trim(), remember);
    } catch (error) {
      const { status, message } = faultOf(error);
      setFault(status === 401 ? 'The hub does not know this token.' : message);
      setBusy(false);
    }
  }

  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420} radius="lg">
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Group gap="sm">
              <Moon size={36} />
              <Title order={1}>Moonbase</Title>
            </Group>
            {reason && <Alert color="orange">{reason}</Alert>}
            {/* Text that is masked: a field for passwords would have the browser offer to keep the token. */}
            <TextInput
              classNames={{ input: 'masked' }}
              placeholder=" "
              label="Access token"
              description="It begins with hf_. The administrator of the hub makes the first one."
              autoComplete="off"
              spellCheck={false}
              autoFocus
              required
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              error={fault}
            />
            <Checkbox
              label="Remember it in this browser"
              description="Otherwise it is forgotten with this tab."
              checked={remember}
              onChange={(event) => setRemember(event.currentTarget.checked)}
            />
            <Button type="submit" loading={busy} fullWidth>
              Sign in
            </Button>
            <Text size="sm" c="dimmed">
              The API reference is at{' '}
              <Anchor href="/docs" underline="always">
                /docs
              </Anchor>
              .
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
