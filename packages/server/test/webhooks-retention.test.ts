import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { getReplay, replayDeliveries } from '@moonbase/client/webhook-replays';
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  getDelivery,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { collect, startHub } from './harness.ts';
import { listen, refusal } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;

/** Starts a hub with alice and bob, and a webhook of alice on her own property. */
async function startFixture(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE]);
  return {
    hub,
    alice,
    listener,
    one: { ...alice, webhookId: listener.webhookId },
    async create(repo: string) {
      await createRepo({ ...alice, repo });
      await hub.drain();
    },
    async pass(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

describe('the delivery log', () => {
  test('is kept for 30 days, within an hour', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    const { id: logId } = await fixture.listener.newest();
    await fixture.pass(HOUR);
    await fixture.create('alice/b');
    const young = await fixture.listener.newest();
    await fixture.pass(30 * DAY - HOUR);
    expect(await fixture.listener.log()).toHaveLength(2);
    await fixture.pass(HOUR);
    expect(await fixture.listener.log()).toEqual([young]);
    expect(await refusal(getDelivery({ ...fixture.one, logId }))).toMatchObject({ status: 404 });
    expect(await refusal(replayDelivery({ ...fixture.one, logId }))).toMatchObject({ status: 404 });
    expect(await getDelivery({ ...fixture.one, logId: young.id })).toMatchObject({
      payload: { event: { scope: 'repo' } },
    });
  });

  test('is kept for the configured time', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_LOG_DAYS: '2' });
    await fixture.create('alice/a');
    await fixture.pass(2 * DAY - MINUTE);
    expect(await fixture.listener.log()).toHaveLength(1);
    await fixture.pass(HOUR);
    expect(await fixture.listener.log()).toEqual([]);
  });

  test('keeps pending deliveries until they arrive', async () => {
    await using fixture = await startFixture({
      MOONBASE_WEBHOOK_LOG_DAYS: '1',
      MOONBASE_WEBHOOK_RETRY_SCHEDULE: '864000',
    });
    fixture.listener.receiver.answer(500);
    await fixture.create('alice/a');
    await fixture.pass(5 * DAY);
    expect(await fixture.listener.log()).toMatchObject([{ status: 'retrying', attempts: 1 }]);
    fixture.listener.receiver.answer(200);
    await fixture.pass(8 * DAY);
    await fixture.pass(HOUR);
    expect(fixture.listener.receiver.received).toHaveLength(2);
    expect(await fixture.listener.log()).toEqual([]);
  });

  test('keeps a payload as long as an entry needs it, such as a replay of a deleted entry', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_LOG_DAYS: '2' });
    await fixture.create('alice/a');
    await fixture.pass(DAY);
    const replay = await replayDeliveries(fixture.one);
    if ('dryRun' in replay) throw new Error('This was a dry run');
    await fixture.hub.drain();
    await fixture.pass(DAY + HOUR);
    const entry = await fixture.listener.newest();
    expect(await fixture.listener.log()).toHaveLength(1);
    expect(await getDelivery({ ...fixture.one, logId: entry.id })).toMatchObject({
      replayOf: expect.any(String),
      payload: { repo: { name: 'alice/a' } },
    });
    expect(await getReplay({ ...fixture.one, replayId: replay.id })).toMatchObject({ status: 'done', replayed: 1 });
    await fixture.pass(2 * DAY);
    expect(await fixture.listener.log()).toEqual([]);
    expect(await refusal(getReplay({ ...fixture.one, replayId: replay.id }))).toMatchObject({ status: 404 });
  });
});

describe('a webhook that is deleted', () => {
  test('is invisible at once, with its log, before the log is deleted', async () => {
    await using fixture = await startFixture({ MOONBASE_MAX_WEBHOOKS: '1' });
    await fixture.create('alice/a');
    const { id: logId } = await fixture.listener.newest();
    await deleteWebhook(fixture.one);
    const webhook = { url: fixture.listener.receiver.url, watched: [ALICE], domains: ['repo' as const] };
    const calls = [
      () => deleteWebhook(fixture.one),
      () => enableWebhook(fixture.one),
      () => updateWebhook({ ...fixture.one, webhook }),
      () => testWebhook(fixture.one),
      () => replayDelivery({ ...fixture.one, logId }),
      () => replayDeliveries(fixture.one),
      () => getDelivery({ ...fixture.one, logId }),
      () => collect(listDeliveries(fixture.one)),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404 });
    expect(await listWebhooks(fixture.alice)).toEqual([]);
    const next = await createWebhook({ ...fixture.alice, webhook });
    await fixture.hub.drain();
    expect(await listWebhooks(fixture.alice)).toEqual([next.webhook]);
  });

  test('gets nothing more: neither pending deliveries nor new events', async () => {
    await using fixture = await startFixture();
    fixture.listener.receiver.answer(500);
    await fixture.create('alice/a');
    await createRepo({ ...fixture.alice, repo: 'alice/b' });
    fixture.listener.receiver.answer(200);
    fixture.listener.receiver.received.splice(0);
    await deleteWebhook(fixture.one);
    await createRepo({ ...fixture.alice, repo: 'alice/c' });
    await fixture.pass(MINUTE);
    await deleteRepo({ ...fixture.alice, repo: 'alice/a' });
    await fixture.pass(HOUR);
    expect(fixture.listener.receiver.received).toEqual([]);
  });

  test('does not prevent the removal of its owner, before or after its log is deleted', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    await deleteWebhook(fixture.one);
    await fixture.hub.apply({ users: [{ name: 'alice', state: 'absent' }] });
    await fixture.pass(HOUR);
    await fixture.hub.people('alice');
    expect(await listWebhooks(fixture.alice)).toEqual([]);
  });
});

test('settings limit how many webhooks a user has and how many items each watches', async () => {
  await using hub = await startHub({ MOONBASE_MAX_WEBHOOKS: '1', MOONBASE_MAX_WATCHED: '2' });
  await hub.people('alice');
  const create = (count: number) =>
    createWebhook({
      ...hub.as('alice'),
      webhook: {
        url: 'https://example.com',
        watched: Array.from({ length: count }, (_, at) => ({ type: 'user', name: `u${at}` })),
        domains: ['repo'],
      },
    });
  expect(await refusal(create(3))).toMatchObject({
    status: 400,
    message: 'body.watched: at most 2 items can be watched',
  });
  await create(2);
  expect(await refusal(create(1))).toMatchObject({
    status: 409,
    message: 'You may have 1 webhook; delete one that you do not need, or ask a site administrator for a larger quota',
  });
});
