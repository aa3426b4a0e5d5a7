import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, disableWebhook, enableWebhook, getWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import type { Outbound, OutboundResult } from '../src/platform/outbound/outbound.ts';
import { collect, startHub } from './harness.ts';
import { engine } from './test-database.ts';

const OK: OutboundResult = { kind: 'answered', status: 200, headers: {}, body: '', durationMs: 1 };
const TIMED_OUT: OutboundResult = { kind: 'failed', error: 'Timed out after 10 s', durationMs: 10_000 };

/** Requests to hosts with `dead` in their name hang until they are released; all others get answers at once. */
function partlyDead() {
  const hanging: (() => void)[] = [];
  let served = 0;
  const outbound: Outbound = {
    post({ url }) {
      if (new URL(url).hostname.startsWith('dead'))
        return new Promise((resolve) => hanging.push(() => resolve(TIMED_OUT)));
      served++;
      return Promise.resolve(OK);
    },
    async [Symbol.asyncDispose]() {},
  };
  return {
    outbound,
    served: () => served,
    hanging: () => hanging.length,
    letGo() {
      for (const end of hanging.splice(0)) end();
    },
  };
}

test('forty hanging receivers do not delay the deliveries of the forty-first', async () => {
  const world = partlyDead();
  await using hub = await startHub({}, { outbound: world.outbound, background: true });
  await hub.people('alice');
  const alice = hub.as('alice');
  const watched = [{ type: 'user' as const, name: 'alice' }];
  for (let at = 0; at < 40; at++)
    await createWebhook({ ...alice, webhook: { url: `http://dead-${at}.example/`, watched, domains: ['repo'] } });
  await createWebhook({ ...alice, webhook: { url: 'http://well.example/', watched, domains: ['repo'] } });
  const events = 8;
  for (let at = 0; at < events; at++) await createRepo({ ...alice, repo: `alice/r${at}` });
  await expect.poll(world.served).toBe(events);
  expect(world.hanging()).toBeGreaterThan(200);
  expect(world.hanging()).toBeLessThanOrEqual(256 + 64);
  // The releases continue until the hub has stopped, since it waits for requests in flight.
  const letGo = setInterval(() => world.letGo(), 1);
  onTestFinished(() => clearInterval(letGo));
});

test.runIf(engine === 'postgres')('a long change of one webhook holds up no event, and no other webhook', async () => {
  const world = partlyDead();
  await using hub = await startHub({}, { outbound: world.outbound, background: true });
  await hub.people('alice');
  const alice = hub.as('alice');
  const watched = [{ type: 'user' as const, name: 'alice' }];
  const created = await Promise.all(
    ['http://changed.example/', 'http://well.example/'].map((url) =>
      createWebhook({ ...alice, webhook: { url, watched, domains: ['repo'] } }),
    ),
  );
  const [changed = '', well = ''] = created.map(({ webhook }) => webhook.id);
  const lastTriggerOf = async (webhookId: string) =>
    (await getWebhook({ ...alice, webhookId })).webhook.lastTriggerAt ?? null;

  await hub.database.transaction(async (tx) => {
    await tx.updateTable('webhooks').set({ description: 'changing' }).where('id', '=', changed).execute();
    await createRepo({ ...alice, repo: 'alice/first' });
    await expect.poll(world.served, { timeout: 20_000 }).toBe(2);
    await expect.poll(() => lastTriggerOf(well), { timeout: 20_000 }).not.toBeNull();
    expect(await lastTriggerOf(changed)).toBeNull();
  });
  await expect.poll(() => lastTriggerOf(changed), { timeout: 20_000 }).not.toBeNull();
});

test('a delivery in flight while its webhook is disabled and enabled again is not repeated', async () => {
  const world = partlyDead();
  await using hub = await startHub({}, { outbound: world.outbound });
  await hub.people('alice');
  const alice = hub.as('alice');
  const watched = [{ type: 'user' as const, name: 'alice' }];
  const { webhook } = await createWebhook({
    ...alice,
    webhook: { url: 'http://dead.example/', watched, domains: ['repo'] },
  });
  const one = { ...alice, webhookId: webhook.id };
  await createRepo({ ...alice, repo: 'alice/first' });
  const sent = hub.drain();
  try {
    await expect.poll(world.hanging, { timeout: 20_000 }).toBe(1);
    await disableWebhook(one);
    await enableWebhook(one);
  } finally {
    // A hub that stops waits for what is in flight.
    world.letGo();
  }
  await sent;
  expect(await collect(listDeliveries(one))).toMatchObject([{ status: 'failed', attempts: 1 }]);
});
