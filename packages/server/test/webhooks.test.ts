import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries, listWebhooks } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { collect, startHub } from './harness.ts';
import { startReceiver } from './receiver.ts';

test('a change of a repository arrives at the URL of a webhook, signed and logged', async () => {
  await using hub = await startHub();
  await using receiver = await startReceiver();
  await hub.people('alice');
  const alice = hub.as('alice');
  const { webhook } = await createWebhook({
    ...alice,
    webhook: { url: receiver.url, watched: [{ type: 'user', name: 'alice' }], domains: ['repo'], secret: 'hush' },
  });
  await createRepo({ ...alice, type: 'dataset', repo: 'alice/letters' });
  await hub.drain();
  expect(receiver.events()).toEqual(['repo/create']);
  expect(receiver.received[0]?.headers['x-webhook-secret']).toBe('hush');
  expect(receiver.received[0]?.payload.webhook).toEqual({ id: webhook.id, version: 3 });
  const [entry] = await collect(listDeliveries({ ...alice, webhookId: webhook.id }));
  expect(entry).toMatchObject({
    status: 'delivered',
    responseStatus: 200,
    attempts: 1,
    repo: { name: 'alice/letters' },
  });
  expect(await listWebhooks(alice)).toMatchObject([{ lastTriggerAt: '2026-01-05T12:00:00.000Z', hasSecret: true }]);
});
