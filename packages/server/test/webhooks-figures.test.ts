import { createRepo } from '@moonbase/client/repositories';
import {
  countDeliveries,
  createWebhook,
  enableWebhook,
  listWebhookFigures,
  listWebhooks,
  testWebhook,
  updateWebhook,
  type WebhookFigures,
} from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from './clock.ts';
import { person, startHub } from './harness.ts';
import { listen, listening, refusal } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const TWO_ATTEMPTS = { MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1' };

/** Starts a hub with alice, who has a webhook, and bob, at the beginning of an hour. */
async function startFixture(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  hub.clock.advance(HOUR - (hub.clock.now() % HOUR));
  await hub.apply({ users: ['alice', 'bob'].map(person) });
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE]);
  let made = 0;
  return {
    ...listening(hub, alice, listener),
    alice,
    bob: hub.as('bob'),
    /** Creates a repository and delivers its event. */
    async event() {
      made += 1;
      await createRepo({ ...alice, repo: `alice/r-${made}` });
      await hub.drain();
    },
    async pass(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    async figures(): Promise<WebhookFigures> {
      const [figures] = await listWebhookFigures(alice);
      if (!figures) throw new Error('There are no figures');
      return figures;
    },
    async hours() {
      const { hours } = await countDeliveries({ ...alice, webhookId: listener.webhookId });
      const all = hours.map(({ from: _from, ...counts }) => counts);
      return all.flatMap((counts, at) => (Object.values(counts).some((count) => count > 0) ? [{ at, ...counts }] : []));
    },
  };
}

const NONE = { delivered: 0, retrying: 0, failed: 0, throttled: 0 };

describe('the figures of a webhook', () => {
  test('are empty before its first attempt', async () => {
    await using fixture = await startFixture();
    expect(await fixture.figures()).toEqual({ id: fixture.one.webhookId, attempts: 0, delivered: 0 });
    expect(await fixture.hours()).toEqual([]);
  });

  test('tell its last attempt, and the rate and speed of 24 hours', async () => {
    await using fixture = await startFixture();
    for (let times = 1; times <= 3; times += 1) await fixture.event();
    expect(await fixture.figures()).toEqual({
      id: fixture.one.webhookId,
      attempts: 3,
      delivered: 3,
      medianMs: expect.any(Number),
      lastAttempt: { at: fixture.now(), outcome: 'delivered', responseStatus: 200, durationMs: expect.any(Number) },
    });
    await fixture.pass(DAY);
    expect(await fixture.figures()).toMatchObject({ attempts: 0, delivered: 0, lastAttempt: { outcome: 'delivered' } });
    expect(await fixture.figures()).not.toHaveProperty('medianMs');
  });

  test('say since when it fails, until it works again', async () => {
    await using fixture = await startFixture();
    await fixture.event();
    fixture.receiver.answer(500);
    const failingSince = fixture.now();
    await fixture.event();
    await fixture.pass(5 * SECOND);
    expect(await fixture.figures()).toMatchObject({
      attempts: 3,
      delivered: 1,
      failingSince,
      lastAttempt: { at: fixture.now(), outcome: 'retrying', responseStatus: 500 },
    });
    fixture.receiver.answer(200);
    await fixture.pass(5 * MINUTE);
    const well = await fixture.figures();
    expect(well).toMatchObject({ attempts: 4, delivered: 2, lastAttempt: { outcome: 'delivered' } });
    expect(well).not.toHaveProperty('failingSince');
  });

  test('give the error where nothing responded, which has no speed', async () => {
    await using fixture = await startFixture();
    await fixture.receiver[Symbol.asyncDispose]();
    await fixture.event();
    const figures = await fixture.figures();
    expect(figures).toMatchObject({ attempts: 1, delivered: 0, lastAttempt: { error: 'Connection refused' } });
    expect(figures.lastAttempt).not.toHaveProperty('responseStatus');
    expect(figures).not.toHaveProperty('medianMs');
  });

  test('are shown to its owner alone', async () => {
    await using fixture = await startFixture();
    await fixture.event();
    expect(await listWebhookFigures(fixture.bob)).toEqual([]);
    expect(await refusal(countDeliveries({ ...fixture.bob, webhookId: fixture.one.webhookId }))).toMatchObject({
      status: 404,
    });
  });

  test('of several webhooks are kept apart', async () => {
    await using fixture = await startFixture();
    const other = { url: 'https://example.com/', watched: [{ type: 'model' as const, name: 'alice/x' }] };
    const { webhook } = await createWebhook({ ...fixture.alice, webhook: { ...other, domains: ['repo'] } });
    await fixture.event();
    expect(await listWebhookFigures(fixture.alice)).toMatchObject([
      { id: fixture.one.webhookId, attempts: 1 },
      { id: webhook.id, attempts: 0 },
    ]);
  });
});

describe('the chart', () => {
  test('counts attempts by their time, those that were to be repeated as retrying', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    fixture.hub.clock.advance(HOUR - SECOND);
    fixture.receiver.answer(500);
    await fixture.event();
    await fixture.pass(2 * SECOND);
    fixture.receiver.answer(200);
    await fixture.event();
    expect(await fixture.hours()).toEqual([
      { ...NONE, at: 22, retrying: 1 },
      { ...NONE, at: 23, failed: 1, delivered: 1 },
    ]);
    await fixture.pass(23 * HOUR);
    expect(await fixture.hours()).toEqual([{ ...NONE, at: 0, failed: 1, delivered: 1 }]);
    await fixture.pass(HOUR);
    expect(await fixture.hours()).toEqual([]);
  });

  test('begins at full hours, and counts samples and events above the daily limit', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_DAILY_LIMIT: '1' });
    await fixture.event();
    await fixture.event();
    await testWebhook(fixture.one);
    await fixture.hub.drain();
    expect(await fixture.hours()).toEqual([{ ...NONE, at: 23, delivered: 2, throttled: 1 }]);
    const { hours } = await countDeliveries(fixture.one);
    expect(hours.at(-1)?.from).toBe(fixture.now());
  });
});

describe('a name and a description', () => {
  test('are optional, kept by updates that leave them out, and removed by an empty text', async () => {
    await using fixture = await startFixture();
    const plain = await fixture.listener.webhook();
    expect(Object.keys(plain)).not.toContain('name');
    const kept = { watched: [ALICE], domains: ['repo' as const] };
    const change = async (webhook: { name?: string; description?: string }) =>
      (await updateWebhook({ ...fixture.one, webhook: { ...kept, ...webhook } })).webhook;
    expect(await change({ name: ' Chat ', description: 'Tells the\nchat room' })).toMatchObject({
      name: 'Chat',
      description: 'Tells the\nchat room',
    });
    expect(await change({})).toMatchObject({ name: 'Chat', description: 'Tells the\nchat room' });
    expect(await listWebhooks(fixture.alice)).toMatchObject([{ name: 'Chat' }]);
    const without = await change({ name: '' });
    expect(without).not.toHaveProperty('name');
    expect(without).toMatchObject({ description: 'Tells the\nchat room' });
  });

  test.each([{ name: 'x'.repeat(101) }, { name: 'a\u0007b' }, { description: 'x'.repeat(1001) }])(
    'are refused where they are too long or have control characters: %#',
    async (given) => {
      await using fixture = await startFixture();
      const webhook = { watched: [ALICE], domains: ['repo' as const], ...given };
      expect(await refusal(updateWebhook({ ...fixture.one, webhook }))).toMatchObject({ status: 400 });
    },
  );
});

describe('a suspension', () => {
  test('by 410 tells this response and its time', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(410);
    await fixture.event();
    const figures = await fixture.figures();
    const at = fixture.now();
    expect(figures.suspension).toEqual({ at, cause: 'gone', failures: 1, failingSince: at, responseStatus: 410 });
    expect(figures).not.toHaveProperty('failingSince');
    await enableWebhook(fixture.one);
    expect(await fixture.figures()).not.toHaveProperty('suspension');
  });

  test('by ten deliveries in a row tells how many, since when, and the last response', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    fixture.receiver.answer(503);
    const failingSince = fixture.now();
    for (let failed = 1; failed <= 10; failed += 1) {
      await fixture.event();
      await fixture.pass(2 * SECOND);
    }
    const { suspension } = await fixture.figures();
    expect(suspension).toMatchObject({ cause: 'in-a-row', failures: 10, failingSince, responseStatus: 503 });
  });
});
