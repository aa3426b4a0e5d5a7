import { Button, Group } from '@mantine/core';
import type { UserEntry } from '@moonbase/client/admin';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';

const ACTIONS = {
  disable: {
    label: 'Disable',
    act: disableUser,
    effect:
      'Tokens and sessions stop working, open streams end, webhooks deliver nothing and jobs end. Nothing is deleted.',
  },
  enable: {
    label: 'Enable',
    act: enableUser,
    effect: 'Tokens and webhooks work again, and scheduled jobs run. Jobs that ended stay ended.',
  },
  delete: {
    label: 'Delete',
    act: deleteUser,
    effect: 'Repositories, posts, articles, tokens, webhooks and jobs of this user are gone for good.',
  },
} as const;

/** The actions of a site administrator on a user; nobody can disable or delete themselves here. */
export function UserActions(props: {
  readonly user: UserEntry;
  readonly isMe: boolean;
  readonly onDeleted?: () => void;
}) {
  const { user, isMe, onDeleted } = props;
  const hub = useHub();
  const [asked, setAsked] = useState<keyof typeof ACTIONS>();
  const { act, busy, error, reset } = useAct(['admin', 'Users']);
  if (isMe) return null;
  const close = () => {
    setAsked(undefined);
    reset();
  };
  return (
    <Group gap={6}>
      {([user.disabled ? 'enable' : 'disable', 'delete'] as const).map((action) => (
        <Button
          key={action}
          size="compact-xs"
          variant="default"
          aria-label={`${ACTIONS[action].label} ${user.name}`}
          onClick={() => setAsked(action)}
        >
          {ACTIONS[action].label}
        </Button>
      ))}
      {asked && (
        <Confirm
          opened
          title={`${ACTIONS[asked].label} ${user.name}?`}
          action={ACTIONS[asked].label}
          busy={busy}
          error={error}
          close={close}
          confirm={() =>
            act(
              () => ACTIONS[asked].act({ ...hub, username: user.name }),
              () => {
                close();
                if (asked === 'delete') onDeleted?.();
              },
            )
          }
        >
          {ACTIONS[asked].effect}
        </Confirm>
      )}
    </Group>
  );
}
