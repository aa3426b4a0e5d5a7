import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { rotateWebhookSecret } from '@moonbase/client/webhooks';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { useBeginsClosed } from '../ui/asking/begins-closed.ts';
import { Refused } from '../ui/refused.tsx';
import { GeneratedSecret } from './generated-secret.tsx';
import { webhookKey } from './queries.ts';

/** The dialog that replaces the secret of a webhook. */
export function Rotation(props: { readonly webhookId: string; readonly opened: boolean; readonly close: () => void }) {
  const { webhookId, opened, close } = props;
  return (
    <Modal
      opened={useBeginsClosed(opened)}
      onClose={close}
      title="Rotate the secret"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <NewSecret webhookId={webhookId} close={close} />
    </Modal>
  );
}

function NewSecret({ webhookId, close }: { readonly webhookId: string; readonly close: () => void }) {
  const hub = useHub();
  const [secret, setSecret] = useState('');
  const { act, busy, error } = useAct(webhookKey(webhookId));
  return (
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
  );
}
