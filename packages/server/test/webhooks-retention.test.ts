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

/** A hub with alice and bob, and a webhook of alice on her own things. */
async function archive(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  const ear = await listen(hub, alice, [ALICE]);
  return {
    hub,
    alice,
    ear,
    one: { ...alice, webhookId: ear.webhookId },
    async create(repo: string) {
      await createRepo({ ...alice, repo });
      await hub.drain();
    },
    async pass(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    async [Symbol.asyncDispose]() {
      await ear[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

describe('the delivery log', () => {
  test('is kept for 30 days, within an hour', async () => {
    await using place = await archive();
    await place.create('alice/a');
    const { id: logId } = await place.ear.newest();
    await place.pass(HOUR);
    await place.create('alice/b');
    const young = await place.ear.newest();
    await place.pass(30 * DAY - HOUR);
    expect(await place.ear.log()).toHaveLength(2);
    await place.pass(HOUR);
    expect(await place.ear.log()).toEqual([young]);
    expect(await refusal(getDelivery({ ...place.one, logId }))).toMatchObject({ status: 404 });
    expect(await refusal(replayDelivery({ ...place.one, logId }))).toMatchObject({ status: 404 });
    expect(await getDelivery({ ...place.one, logId: young.id })).toMatchObject({
      payload: { event: { scope: 'repo' } },
    });
  });

  test('is kept for as long as is set', async () => {
    await using place = await archive({ MOONBASE_WEBHOOK_LOG_DAYS: '2' });
    await place.create('alice/a');
    await place.pass(2 * DAY - MINUTE);
    expect(await place.ear.log()).toHaveLength(1);
    await place.pass(HOUR);
    expect(await place.ear.log()).toEqual([]);
  });

  test('keeps what is pending until it arrived', async () => {
    await using place = await archive({ MOONBASE_WEBHOOK_LOG_DAYS: '1', MOONBASE_WEBHOOK_RETRY_SCHEDULE: '864000' });
    place.ear.receiver.answer(500);
    await place.create('alice/a');
    await place.pass(5 * DAY);
    expect(await place.ear.log()).toMatchObject([{ status: 'pending', attempts: 1 }]);
    place.ear.receiver.answer(200);
    await place.pass(8 * DAY);
    await place.pass(HOUR);
    expect(place.ear.receiver.received).toHaveLength(2);
    expect(await place.ear.log()).toEqual([]);
  });

  test('keeps the payload for as long as an entry has it: of a replay, when the original is gone', async () => {
    await using place = await archive({ MOONBASE_WEBHOOK_LOG_DAYS: '2' });
    await place.create('alice/a');
    await place.pass(DAY);
    const replay = await replayDeliveries(place.one);
    if ('dryRun' in replay) throw new Error('This was a dry run');
    await place.hub.drain();
    await place.pass(DAY + HOUR);
    const entry = await place.ear.newest();
    expect(await place.ear.log()).toHaveLength(1);
    expect(await getDelivery({ ...place.one, logId: entry.id })).toMatchObject({
      replayOf: expect.any(String),
      payload: { repo: { name: 'alice/a' } },
    });
    expect(await getReplay({ ...place.one, replayId: replay.id })).toMatchObject({ status: 'done', replayed: 1 });
    await place.pass(2 * DAY);
    expect(await place.ear.log()).toEqual([]);
    expect(await refusal(getReplay({ ...place.one, replayId: replay.id }))).toMatchObject({ status: 404 });
  });
});

describe('a webhook that is deleted', () => {
  test('is out of sight at once, before anything of its log is deleted, and so is its log', async () => {
    await using place = await archive({ MOONBASE_MAX_WEBHOOKS: '1' });
    await place.create('alice/a');
    const { id: logId } = await place.ear.newest();
    await deleteWebhook(place.one);
    const webhook = { url: place.ear.receiver.url, watched: [ALICE], domains: ['repo' as const] };
    const calls = [
      () => deleteWebhook(place.one),
      () => enableWebhook(place.one),
      () => updateWebhook({ ...place.one, webhook }),
      () => testWebhook(place.one),
      () => replayDelivery({ ...place.one, logId }),
      () => replayDeliveries(place.one),
      () => getDelivery({ ...place.one, logId }),
      () => collect(listDeliveries(place.one)),
    ];
    for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404 });
    expect(await listWebhooks(place.alice)).toEqual([]);
    const next = await createWebhook({ ...place.alice, webhook });
    await place.hub.drain();
    expect(await listWebhooks(place.alice)).toEqual([next.webhook]);
  });

  test('gets nothing more: neither what was pending, nor what happens then', async () => {
    await using place = await archive();
    place.ear.receiver.answer(500);
    await place.create('alice/a');
    await createRepo({ ...place.alice, repo: 'alice/b' });
    place.ear.receiver.answer(200);
    place.ear.receiver.received.splice(0);
    await deleteWebhook(place.one);
    await createRepo({ ...place.alice, repo: 'alice/c' });
    await place.pass(MINUTE);
    await deleteRepo({ ...place.alice, repo: 'alice/a' });
    await place.pass(HOUR);
    expect(place.ear.receiver.received).toEqual([]);
  });

  test('does not hinder that its owner is removed, before or after its log is gone', async () => {
    await using place = await archive();
    await place.create('alice/a');
    await deleteWebhook(place.one);
    await place.hub.apply({ users: [{ name: 'alice', state: 'absent' }] });
    await place.pass(HOUR);
    await place.hub.people('alice');
    expect(await listWebhooks(place.alice)).toEqual([]);
  });
});

test('how many webhooks a user has and what each watches is limited by the settings', async () => {
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
    message: 'You have 1 webhooks, and 1 are the most; delete one first',
  });
});
