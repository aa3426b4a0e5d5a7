import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, disableWebhook, enableWebhook, getWebhook, updateWebhook } from '@moonbase/client/webhooks';
import { expect, test } from 'vitest';
import { createIds } from '../src/platform/ids.ts';
import { laneOf } from '../src/webhooks/matching/lane.ts';
import { HOUR } from './clock.ts';
import { startHub } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { storeDeliveries, storedDelivery } from './stored-deliveries.ts';

const BACKLOG = 2500;
const WATCHED = [{ type: 'user' as const, name: 'alice' }];

/** Starts a hub on which alice has two webhooks with one receiver, each with deliveries that wait for an hour, in turns. */
async function startFixture() {
  const receiver = await startReceiver();
  const hub = await startHub();
  await hub.people('alice');
  const alice = hub.as('alice');
  const create = async (path: string) => {
    const url = new URL(path, receiver.url).href;
    const { webhook } = await createWebhook({ ...alice, webhook: { url, watched: WATCHED, domains: ['repo'] } });
    return { ...alice, webhookId: webhook.id };
  };
  const [first, second] = [await create('/first'), await create('/second')];
  await hub.database.transaction((tx) =>
    tx
      .insertInto('events')
      .values({
        ...{ id: 'e', topic: 'repo', created_at: 0, data: '{}', due_at: 0, attempts: 0, done_at: 0, epoch: 0 },
        progress: null,
      })
      .execute(),
  );
  const ids = createIds(hub.clock);
  const waiting = { lane: laneOf(receiver), due_at: hub.clock.now() + HOUR };
  const rows = Array.from({ length: BACKLOG }, () =>
    [first, second].map(({ webhookId }) => storedDelivery(ids(), { webhook_id: webhookId, ...waiting })),
  );
  await storeDeliveries(hub.database, rows.flat());
  hub.clock.advance(1);
  return {
    ...{ hub, alice, receiver, first, second },
    /** Counts the deliveries of a webhook by state and lane. */
    async counted({ webhookId }: { webhookId: string }) {
      const groups = await hub.database.read
        .selectFrom('deliveries')
        .select(['status', 'lane', 'error', (eb) => eb.fn.countAll<number>().as('count')])
        .where('webhook_id', '=', webhookId)
        .groupBy(['status', 'lane', 'error'])
        .orderBy('status')
        .orderBy((eb) => eb.fn.countAll())
        .execute();
      return groups.map((group) => ({ ...group, count: Number(group.count) }));
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const STOPPED = 'The webhook was disabled; replay this delivery when it is wanted';

test('all that waits of a webhook has failed when it is disabled, however much; nothing of others has', async () => {
  await using fixture = await startFixture();
  const { hub, alice, receiver, first, second } = fixture;
  await disableWebhook(first);
  expect(await fixture.counted(first)).toMatchObject([{ status: 'failed', count: BACKLOG, error: STOPPED }]);
  await enableWebhook(first);
  await createRepo({ ...alice, repo: 'alice/new' });
  await hub.drain();
  expect(await fixture.counted(first)).toMatchObject([
    { status: 'delivered', count: 1 },
    { status: 'failed', count: BACKLOG },
  ]);
  expect(await fixture.counted(second)).toMatchObject([
    { status: 'delivered', count: 1 },
    { status: 'pending', count: BACKLOG },
  ]);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/first', '/second']);
});

test('a webhook that is enabled while its backlog still fails gets what is new', async () => {
  await using fixture = await startFixture();
  const { hub, alice, receiver, first } = fixture;
  const disabling = disableWebhook(first);
  await expect.poll(async () => (await getWebhook(first)).webhook.disabled).toBe(true);
  await enableWebhook(first);
  await createRepo({ ...alice, repo: 'alice/new' });
  await disabling;
  await hub.drain();
  expect(await fixture.counted(first)).toMatchObject([
    { status: 'delivered', count: 1 },
    { status: 'failed', count: BACKLOG, error: STOPPED },
  ]);
  expect(receiver.received.filter(({ path }) => path === '/first')).toHaveLength(1);
});

test('what a process that was killed left waiting of a stopped webhook fails before it is enabled', async () => {
  await using fixture = await startFixture();
  const { hub, first, second } = fixture;
  for (const { webhookId } of [first, second])
    await hub.database.transaction((tx) =>
      tx.updateTable('webhooks').set({ state: 'suspended' }).where('id', '=', webhookId).execute(),
    );
  await enableWebhook(first);
  expect(await fixture.counted(first)).toMatchObject([{ status: 'failed', count: BACKLOG }]);
  expect(await fixture.counted(second)).toMatchObject([{ status: 'pending', count: BACKLOG }]);
  hub.clock.advance(2 * HOUR);
  await hub.drain();
  expect(await fixture.counted(second)).toMatchObject([
    { status: 'failed', count: BACKLOG, error: 'The webhook is not enabled' },
  ]);
});

test('a long backlog fails when its webhook is suspended', async () => {
  await using fixture = await startFixture();
  const { hub, alice, receiver, first } = fixture;
  receiver.answer(410);
  await createRepo({ ...alice, repo: 'alice/new' });
  await hub.drain();
  await expect
    .poll(() => fixture.counted(first), { timeout: 20_000 })
    .toMatchObject([
      { status: 'failed', error: null, count: 1 },
      { status: 'failed', count: BACKLOG },
    ]);
});

test('all that waits moves to the lane of a new target, however much', async () => {
  await using fixture = await startFixture();
  const { receiver, first, second } = fixture;
  const url = 'https://one.example/hook';
  await updateWebhook({ ...first, webhook: { url, watched: WATCHED, domains: ['repo'] } });
  expect(await fixture.counted(first)).toMatchObject([{ status: 'pending', lane: laneOf({ url }), count: BACKLOG }]);
  expect(await fixture.counted(second)).toMatchObject([{ status: 'pending', lane: laneOf(receiver), count: BACKLOG }]);
});
