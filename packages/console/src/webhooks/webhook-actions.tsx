import { Button, Menu } from '@mantine/core';
import { deleteWebhook, setWebhookState, testWebhook, type Webhook } from '@moonbase/client/webhooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { Confirm } from '../ui/asking/confirm.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { EVENTS } from './events.ts';
import { WEBHOOKS, webhookKey } from './queries.ts';
import { RotateSecret } from './rotate-secret.tsx';
import { titleOf } from './target.ts';

/** The actions on a webhook. */
export function WebhookActions({ webhook }: { readonly webhook: Webhook }) {
  const { id: webhookId, disabled } = webhook;
  const one = { ...useHub(), webhookId };
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [deleting, setDeleting] = useState(false);

  const test = useMutation({
    mutationFn: (event: (typeof EVENTS)[number]) => testWebhook({ ...one, ...event }),
    onSettled: () => queries.invalidateQueries({ queryKey: webhookKey(webhookId) }),
  });
  const state = useMutation({
    mutationFn: () => setWebhookState({ ...one, action: disabled ? 'enable' : 'disable' }),
    async onSuccess({ webhook: changed }) {
      queries.setQueryData(webhookKey(webhookId), changed);
      await queries.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });
  const remove = useMutation({
    mutationFn: () => deleteWebhook(one),
    async onSuccess() {
      go('/webhooks');
      queries.removeQueries({ queryKey: webhookKey(webhookId) });
      await queries.invalidateQueries({ queryKey: WEBHOOKS });
    },
  });

  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" loading={test.isPending}>
            Send test
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Which event</Menu.Label>
          {EVENTS.map((event) => (
            <Menu.Item key={`${event.scope} ${event.action}`} onClick={() => test.mutate(event)}>
              {event.scope} {event.action}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button component={Link} href={`/webhooks/${webhookId}/edit`} variant="default">
        Edit
      </Button>
      {webhook.hasSecret && <RotateSecret webhookId={webhookId} />}
      <Button variant={disabled ? 'filled' : 'default'} loading={state.isPending} onClick={() => state.mutate()}>
        {disabled ? 'Enable' : 'Disable'}
      </Button>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <Confirm
        opened={deleting}
        title={`Delete ${titleOf(webhook)}?`}
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        close={() => setDeleting(false)}
        confirm={() => remove.mutate()}
      >
        Its log goes with it. What is on its way is not sent any more.
      </Confirm>
      <Outcome
        of={test.data ?? test.error ?? state.error}
        error={test.error ?? state.error}
        text={
          test.data &&
          (test.data.status === 0 ? `No answer: ${test.data.error}` : `The receiver answered ${test.data.status}`)
        }
        good={test.data !== undefined && test.data.status >= 200 && test.data.status < 300}
      />
    </>
  );
}
