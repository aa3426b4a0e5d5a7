import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { replayDeliveries } from '@moonbase/client/webhook-replays';
import { setWebhookState, type Webhook } from '@moonbase/client/webhooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { Failure } from '../ui/states.tsx';
import { WEBHOOKS } from './queries.ts';
import { titleOf } from './target.ts';

type Act = 'enable' | 'disable' | 'replay';

/** Enables, disables or replays the failed deliveries of several webhooks. */
export function ManageMany({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const [opened, setOpened] = useState(false);
  if (webhooks.length === 0) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Manage several
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title="Manage several webhooks"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Choosing webhooks={webhooks} close={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Choosing(props: { readonly webhooks: readonly Webhook[]; readonly close: () => void }) {
  const { webhooks, close } = props;
  const [ids, setIds] = useState<string[]>([]);
  const [act, setAct] = useState<Act>();
  const chosen = webhooks.filter(({ id }) => ids.includes(id));
  if (act !== undefined) return <Confirming act={act} webhooks={chosen} back={() => setAct(undefined)} close={close} />;
  return (
    <Stack>
      <Checkbox.Group label="Which webhooks" value={ids} onChange={setIds}>
        <Stack gap="xs" mt="xs">
          {webhooks.map((webhook) => (
            <Checkbox key={webhook.id} value={webhook.id} label={titleOf(webhook)} className="breaks" />
          ))}
        </Stack>
      </Checkbox.Group>
      <Group justify="flex-end">
        {(['enable', 'disable', 'replay'] as const).map((each) => (
          <Button key={each} variant="default" disabled={chosen.length === 0} onClick={() => setAct(each)}>
            {LABELS[each]}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

const LABELS = { enable: 'Enable', disable: 'Disable', replay: 'Replay failed' };

const WARNINGS = {
  enable: 'New events are sent to these webhooks from now on. Suspensions end.',
  disable: 'Nothing more is sent to these webhooks. What is on its way fails and can be replayed.',
  replay:
    'The failed deliveries of these webhooks are sent again, oldest first, to their current targets. The hub retries others by itself, so they are not replayed.',
};

interface ConfirmingProps {
  readonly act: Act;
  readonly webhooks: readonly Webhook[];
  readonly back: () => void;
  readonly close: () => void;
}

/** Names what will be done; for replays a dry run counts the deliveries first. */
function Confirming({ act, webhooks, back, close }: ConfirmingProps) {
  const hub = useHub();
  const queries = useQueryClient();
  // Replays of webhooks that are not enabled would be refused.
  const concerned = act === 'replay' ? webhooks.filter(({ disabled }) => disabled === false) : webhooks;
  const counts = useQuery({
    queryKey: ['webhooks-dry-run', concerned.map(({ id }) => id)],
    queryFn: async ({ signal }) => {
      const failed = { ...hub, status: 'failed' as const, dryRun: true, signal };
      return Promise.all(
        concerned.map(async ({ id }) => (await replayDeliveries({ ...failed, webhookId: id })).matched),
      );
    },
    enabled: act === 'replay',
    gcTime: 0,
    staleTime: 0,
  });
  const matchedOf = (at: number) => counts.data?.[at] ?? 0;
  const run = useMutation({
    async mutationFn() {
      for (const [at, { id: webhookId }] of concerned.entries()) {
        if (act !== 'replay') await setWebhookState({ ...hub, webhookId, action: act });
        else if (matchedOf(at) > 0) await replayDeliveries({ ...hub, webhookId, status: 'failed' });
      }
    },
    onSuccess: close,
    async onSettled() {
      for (const queryKey of [WEBHOOKS, ['webhook'], ['webhook-figures']])
        await queries.invalidateQueries({ queryKey });
    },
  });
  const isReady = concerned.length > 0 && (act !== 'replay' || (counts.data?.some((count) => count > 0) ?? false));
  const error = run.error ?? counts.error;
  return (
    <Stack>
      <Text size="sm">{WARNINGS[act]}</Text>
      <ul>
        {concerned.map((webhook, at) => (
          <li key={webhook.id} className="breaks">
            {titleOf(webhook)}
            {act === 'replay' && counts.data && `: ${matchedOf(at)} failed`}
          </li>
        ))}
      </ul>
      {concerned.length < webhooks.length && (
        <Text size="sm" c="dimmed">
          Webhooks that are not enabled are left out: enable them first.
        </Text>
      )}
      {error && <Failure error={error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={back} data-autofocus>
          Back
        </Button>
        <Button disabled={!isReady} loading={run.isPending} onClick={() => run.mutate()}>
          {LABELS[act]} {concerned.length}
        </Button>
      </Group>
    </Stack>
  );
}
