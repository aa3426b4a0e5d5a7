import { Avatar, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { type AccessRequest, handleAccessRequest } from '@moonbase/client/gating';
import { useState } from 'react';
import { useHub } from '../../../session/session.tsx';
import { useAct } from '../../../ui/act.ts';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { Refused } from '../../../ui/refused.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Place } from '../../place.ts';

const MAX_REASON = 200;

/** A request for access, with the answers of its user and the decisions that are possible. */
export function RequestRow({ request, place }: { readonly request: AccessRequest; readonly place: Place }) {
  const { user, status, fields, rejectionReason, grantedBy, timestamp, requestId } = request;
  const { type, repo } = place;
  const hub = useHub();
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  useUnsaved(asking && reason.trim() !== '');
  const { act, busy, error, reset } = useAct(['access-requests', type, repo]);
  const decide = (decision: AccessRequest['status'], rejection?: string) =>
    act(() =>
      handleAccessRequest({
        ...{ ...hub, type, repo, requestId, status: decision },
        ...(rejection !== undefined && rejection !== '' && { rejectionReason: rejection }),
      }),
    );
  const close = () => {
    setAsking(false);
    reset();
  };
  return (
    <Group component="li" className="row" px="md" py="sm" align="flex-start">
      <Avatar src={user.avatarUrl} size={34} alt="" />
      <div className="fills">
        <Text size="sm" fw={600} className="breaks">
          {user.fullname} ({user.user})
        </Text>
        <Text size="xs" c="dimmed" className="breaks">
          {user.email !== undefined && `${user.email}, `}
          {grantedBy === undefined ? 'asked ' : `granted by ${grantedBy.user} `}
          <Time at={timestamp} />
        </Text>
        {Object.entries(fields ?? {}).map(([name, answer]) => (
          <Text key={name} size="sm" className="breaks">
            {name}: {answer === true ? 'yes' : String(answer)}
          </Text>
        ))}
        {rejectionReason !== undefined && (
          <Text size="sm" className="breaks">
            Reason: {rejectionReason}
          </Text>
        )}
        {!asking && <Refused error={error} />}
      </div>
      <Group gap="xs">
        {status !== 'accepted' && (
          <Button
            size="compact-sm"
            loading={busy}
            aria-label={`Accept ${user.user}`}
            onClick={() => decide('accepted')}
          >
            Accept
          </Button>
        )}
        {status !== 'rejected' && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Reject ${user.user}`}
            onClick={() => {
              reset();
              setAsking(true);
            }}
          >
            Reject
          </Button>
        )}
        {status === 'accepted' && (
          <Button
            size="compact-sm"
            variant="default"
            loading={busy}
            aria-label={`Revoke the access of ${user.user}`}
            onClick={() => decide('pending')}
          >
            Take away
          </Button>
        )}
      </Group>
      <Modal
        opened={asking}
        onClose={close}
        title={`Reject the request of ${user.user}`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            decide('rejected', reason.trim());
          }}
        >
          <Stack>
            <Textarea
              label="Reason"
              description="Optional; the user reads it."
              maxLength={MAX_REASON}
              data-autofocus
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <Refused error={error} mt="0" />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color="red" loading={busy}>
                Reject
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </Group>
  );
}
