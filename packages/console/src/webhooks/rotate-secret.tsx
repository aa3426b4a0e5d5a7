import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { rotateWebhookSecret } from '@moonbase/client/webhooks';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Refused } from '../ui/refused.tsx';
import { GeneratedSecret } from './generated-secret.tsx';
import { webhookKey } from './queries.ts';

/** Replaces the secret of a webhook; for a while, deliveries are also signed with the old one. */
export function RotateSecret({ webhookId }: { readonly webhookId: string }) {
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const [secret, setSecret] = useState('');
  const { act, busy, error, reset } = useAct(webhookKey(webhookId));
  const close = () => {
    setOpened(false);
    setSecret('');
    reset();
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate secret
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title="Rotate the secret"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(() => rotateWebhookSecret({ ...hub, webhookId, secret }), close);
          }}
        >
          <Stack>
            <Text size="sm">
              For 24 hours deliveries are signed with the old secret, too; the header carries the new one at once.
            </Text>
            <PasswordInput
              label="New secret"
              autoComplete="new-password"
              data-autofocus
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
            <GeneratedSecret secret={secret} use={setSecret} />
            <Refused error={error} mt="0" />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={busy} disabled={secret === ''}>
                Rotate
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
