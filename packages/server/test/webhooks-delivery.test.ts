import { createHmac } from 'node:crypto';
import { createRepo, moveRepo } from '@moonbase/client/repositories';
import {
  deleteWebhook,
  enableWebhook,
  getDelivery,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { createTestClock, DAY, HOUR, MINUTE, SECOND, type TestClock } from './clock.ts';
import { person, startHub } from './harness.ts';
import { type Received, startReceiver } from './receiver.ts';
import { listen } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const SCHEDULE = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
/** Two attempts, the second after a second. */
const TWO_ATTEMPTS = { MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1' };

/** A hub with alice, and a webhook on what is hers. */
async function post(settings: Record<string, string> = {}, options: { secret?: string; clock?: TestClock } = {}) {
  const { secret, clock } = options;
  const hub = await startHub(settings, clock ? { clock } : {});
  await hub.people('alice');
  const alice = hub.as('alice');
  const ear = await listen(hub, alice, [ALICE], secret === undefined ? {} : { secret });
  const one = { ...alice, webhookId: ear.webhookId };
  let made = 0;
  return {
    hub,
    alice,
    ear,
    one,
    receiver: ear.receiver,
    /** Makes something happen. */
    async event() {
      made += 1;
      await createRepo({ ...alice, repo: `alice/letters-${made}` });
    },
    /** Lets the time pass, and everything happen that is due then. */
    async after(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    /** How many requests have come. */
    came: () => ear.receiver.received.length,
    last: () => ear.receiver.received.at(-1)!,
    now: () => new Date(hub.clock.now()).toISOString(),
    at: (ms: number) => new Date(hub.clock.now() + ms).toISOString(),
    disabled: async () => (await ear.webhook()).disabled,
    async [Symbol.asyncDispose]() {
      await ear[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
type Post = Awaited<ReturnType<typeof post>>;

/** Lets an event happen and fail for good, where there are two attempts. */
async function failOnce(office: Post) {
  office.receiver.answer(500);
  await office.event();
  await office.after(0);
  await office.after(SECOND);
}

/** The signature that a receiver expects (Standard Webhooks: HMAC-SHA256 over id, timestamp and body). */
function signature(key: string | Buffer, { headers, text }: Received): string {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('a delivery', () => {
  test('is a POST of JSON that says who sends it, when, and under which id', async () => {
    await using office = await post();
    await office.event();
    await office.after(0);
    const { headers, path, text } = office.last();
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'user-agent': expect.stringMatching(/^Moonbase/),
      'webhook-id': (await office.ear.newest()).id,
      'webhook-timestamp': String(office.hub.clock.now() / 1000),
    });
  });

  test('without a secret has neither secret nor signature', async () => {
    await using office = await post();
    await office.event();
    await office.after(0);
    expect(office.last().headers).not.toHaveProperty('x-webhook-secret');
    expect(office.last().headers).not.toHaveProperty('webhook-signature');
  });

  test('with a secret carries it, and a signature made with it', async () => {
    await using office = await post({}, { secret: 'hush, hush' });
    await office.event();
    await office.after(0);
    const received = office.last();
    expect(received.headers['x-webhook-secret']).toBe('hush, hush');
    expect(received.headers['webhook-signature']).toBe(signature('hush, hush', received));
  });

  test('with a whsec_ secret is signed with the bytes that this encodes', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
    const secret = `whsec_${key.toString('base64')}`;
    await using office = await post({}, { secret });
    await office.event();
    await office.after(0);
    const received = office.last();
    expect(received.headers['x-webhook-secret']).toBe(secret);
    expect(received.headers['webhook-signature']).toBe(signature(key, received));
  });

  test.each([' outer', 'outer ', 'del\u007f'])(
    'with a secret that no header can carry (%j) is signed only, and the log says so',
    async (secret) => {
      await using office = await post({}, { secret });
      await office.event();
      await office.after(0);
      const received = office.last();
      expect(received.headers).not.toHaveProperty('x-webhook-secret');
      expect(received.headers['webhook-signature']).toBe(signature(secret, received));
      const { deliveryAttempts } = await getDelivery({ ...office.one, logId: (await office.ear.newest()).id });
      expect(deliveryAttempts[0]?.note).toContain('X-Webhook-Secret');
    },
  );

  test('is done with any status from 200 to 299', async () => {
    await using office = await post();
    for (const status of [200, 201, 202, 204, 299]) {
      office.receiver.answer(status, {}, '');
      await office.event();
      await office.after(0);
      expect(await office.ear.newest()).toMatchObject({ status: 'delivered', responseStatus: status, attempts: 1 });
    }
    await office.after(DAY);
    expect(office.came()).toBe(5);
  });
});

describe('a secret that is rotated', () => {
  test('signs beside the new one for 24 hours; the header carries the new one at once', async () => {
    await using office = await post({}, { secret: 'old' });
    await rotateWebhookSecret({ ...office.one, secret: 'new' });
    const expectSignedWith = async (...keys: string[]) => {
      await office.event();
      await office.after(0);
      const received = office.last();
      expect(received.headers['x-webhook-secret']).toBe('new');
      expect(received.headers['webhook-signature']).toBe(keys.map((key) => signature(key, received)).join(' '));
    };
    await expectSignedWith('new', 'old');
    await office.after(DAY - 1);
    await expectSignedWith('new', 'old');
    await office.after(1);
    await expectSignedWith('new');
  });

  test('is forgotten at once where the new one is set by an update', async () => {
    await using office = await post({}, { secret: 'old' });
    await rotateWebhookSecret({ ...office.one, secret: 'between' });
    await updateWebhook({
      ...office.one,
      webhook: { url: office.receiver.url, watched: [ALICE], domains: ['repo'], secret: 'new' },
    });
    await office.event();
    await office.after(0);
    expect(office.last().headers['webhook-signature']).toBe(signature('new', office.last()));
  });

  test('may be the first one there is', async () => {
    await using office = await post();
    expect(await rotateWebhookSecret({ ...office.one, secret: 'first' })).toEqual({ success: true });
    expect((await office.ear.webhook()).hasSecret).toBe(true);
    await office.event();
    await office.after(0);
    expect(office.last().headers['webhook-signature']).toBe(signature('first', office.last()));
  });
});

describe('retries', () => {
  test('come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, to the eighth attempt, not a moment earlier', async () => {
    await using office = await post();
    office.receiver.answer(500);
    await office.event();
    await office.after(0);
    for (const [at, wait] of SCHEDULE.entries()) {
      expect(office.came()).toBe(at + 1);
      expect(await office.ear.newest()).toMatchObject({
        status: 'pending',
        attempts: at + 1,
        responseStatus: 500,
        nextAttemptAt: office.at(wait),
      });
      await office.after(wait - 1);
      expect(office.came()).toBe(at + 1);
      await office.after(1);
    }
    expect(office.came()).toBe(8);
    const failed = await office.ear.newest();
    expect(failed).toMatchObject({ status: 'failed', attempts: 8, responseStatus: 500 });
    expect(failed).not.toHaveProperty('nextAttemptAt');
    await office.after(30 * DAY);
    expect(office.came()).toBe(8);
    expect(await office.disabled()).toBe(false);
  });

  test('carry the same id and body, a new time and a new signature', async () => {
    await using office = await post({}, { secret: 'hush' });
    office.receiver.answer(503);
    await office.event();
    await office.after(0);
    await office.after(5 * SECOND);
    await office.after(5 * MINUTE);
    const received = office.receiver.received;
    const [first] = received;
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(first?.headers['webhook-id']));
    expect(received.map(({ text }) => text)).toEqual(Array(3).fill(first?.text));
    const start = Number(first?.headers['webhook-timestamp']);
    expect(received.map(({ headers }) => Number(headers['webhook-timestamp']) - start)).toEqual([0, 5, 305]);
    for (const each of received) expect(each.headers['webhook-signature']).toBe(signature('hush', each));
  });

  test('end with the first success, and the log keeps each attempt', async () => {
    await using office = await post();
    office.receiver.answer(500, {}, 'not now');
    await office.event();
    await office.after(0);
    const first = office.now();
    office.receiver.answer(200, {}, 'now');
    await office.after(5 * SECOND);
    const { deliveryAttempts, ...entry } = await getDelivery({
      ...office.one,
      logId: (await office.ear.newest()).id,
    });
    expect(entry).toMatchObject({ status: 'delivered', attempts: 2, responseStatus: 200 });
    const url = office.receiver.url;
    expect(deliveryAttempts).toMatchObject([
      { at: first, url, responseStatus: 500, responseBody: 'not now' },
      { at: office.now(), url, responseStatus: 200, responseBody: 'now' },
    ]);
    await office.after(DAY);
    expect(office.came()).toBe(2);
  });

  test('use the URL and the secret that the webhook has then', async () => {
    await using office = await post({}, { secret: 'old' });
    await using elsewhere = await startReceiver();
    office.receiver.answer(500);
    await office.event();
    await office.after(0);
    const webhook = { url: elsewhere.url, watched: [ALICE], domains: ['repo' as const], secret: 'new' };
    await updateWebhook({ ...office.one, webhook });
    await office.after(5 * SECOND);
    expect(office.came()).toBe(1);
    const [received] = elsewhere.received;
    expect(received?.headers['x-webhook-secret']).toBe('new');
    expect(received?.headers['webhook-signature']).toBe(signature('new', received!));
    expect(received?.headers['webhook-id']).toBe(office.last().headers['webhook-id']);
    expect(await office.ear.newest()).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('end with the webhook', async () => {
    await using office = await post();
    office.receiver.answer(500);
    await office.event();
    await office.after(0);
    await deleteWebhook(office.one);
    await office.after(DAY);
    expect(office.came()).toBe(1);
  });

  test.each([
    ['seconds lengthen the wait', () => '600', 600 * SECOND],
    ['a date lengthens it', (now: number) => new Date(now + HOUR).toUTCString(), HOUR],
    ['fewer seconds do not shorten it', () => '1', 5 * SECOND],
    ['24 hours are the most', () => '1000000', DAY],
    ['what is neither changes nothing', () => 'later', 5 * SECOND],
  ])('heed Retry-After: %s', async (_what, value, wait) => {
    await using office = await post();
    office.receiver.answer(429, { 'retry-after': value(office.hub.clock.now()) });
    await office.event();
    await office.after(0);
    expect((await office.ear.newest()).nextAttemptAt).toBe(office.at(wait));
    await office.after(wait - 1);
    expect(office.came()).toBe(1);
    await office.after(1);
    expect(office.came()).toBe(2);
  });

  test('follow a redirect never: it is a failure, and nobody is asked at its target', async () => {
    await using office = await post();
    await using elsewhere = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      office.receiver.answer(status, { location: elsewhere.url });
      await office.event();
      await office.after(0);
      expect(await office.ear.newest()).toMatchObject({ status: 'pending', attempts: 1, responseStatus: status });
    }
    expect(elsewhere.received).toEqual([]);
  });

  test('follow where nobody listens: the log says that the connection was refused', async () => {
    await using office = await post();
    await office.receiver[Symbol.asyncDispose]();
    await office.event();
    await office.after(0);
    const entry = await office.ear.newest();
    expect(entry).toMatchObject({ status: 'pending', attempts: 1, error: 'Connection refused' });
    expect(entry).not.toHaveProperty('responseStatus');
    const { deliveryAttempts } = await getDelivery({ ...office.one, logId: entry.id });
    expect(deliveryAttempts).toEqual([
      { at: office.now(), url: office.receiver.url, error: 'Connection refused', durationMs: expect.any(Number) },
    ]);
  });

  test('go by the schedule that the operator has set', async () => {
    await using office = await post({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '60,7' });
    office.receiver.answer(500);
    await office.event();
    await office.after(0);
    expect((await office.ear.newest()).nextAttemptAt).toBe(office.at(MINUTE));
    await office.after(MINUTE);
    expect((await office.ear.newest()).nextAttemptAt).toBe(office.at(7 * SECOND));
    await office.after(7 * SECOND);
    expect(await office.ear.newest()).toMatchObject({ status: 'failed', attempts: 3 });
  });

  test('bring nothing more to an owner who has lost access meanwhile', async () => {
    await using hub = await startHub();
    const member = (change: object) =>
      hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', ...change }] }] });
    await hub.apply({
      users: ['alice', 'bob'].map(person),
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
    });
    await using ear = await listen(hub, hub.as('bob'), [{ type: 'org', name: 'acme' }]);
    ear.receiver.answer(500);
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
    expect(await ear.heard()).toHaveLength(1);
    expect(await ear.newest()).toMatchObject({ status: 'pending' });
    await member({ state: 'absent' });
    ear.receiver.answer(200);
    hub.clock.advance(5 * SECOND);
    expect(await ear.heard()).toEqual([]);
    expect(await ear.log()).toEqual([]);
    await member({ role: 'read' });
    hub.clock.advance(DAY);
    expect(await ear.heard()).toEqual([]);
    expect(await ear.newest()).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('can no longer read'),
    });
  });

  test('bring nothing more of a repository that has moved out of sight', async () => {
    await using hub = await startHub();
    await hub.apply({
      users: ['alice', 'bob'].map(person),
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
    });
    await using ear = await listen(hub, hub.as('bob'), [{ type: 'org', name: 'acme' }]);
    ear.receiver.answer(500);
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
    expect(await ear.heard()).toHaveLength(1);
    await moveRepo({ ...hub.as('alice'), from: 'acme/secret', to: 'alice/secret' });
    hub.clock.advance(5 * SECOND);
    expect(await ear.heard()).toEqual([]);
    expect(await ear.log()).toEqual([]);
  });
});

describe('a webhook is suspended', () => {
  const SUSPENDED = 'suspended-after-failure';

  test('by a 410, at once, and what was pending is parked and can be replayed', async () => {
    await using office = await post();
    office.receiver.answer(500);
    await office.event();
    await office.after(0);
    const waiting = await office.ear.newest();
    office.receiver.answer(410);
    await office.event();
    await office.after(0);
    expect(await office.disabled()).toBe(SUSPENDED);
    const [gone, parked] = await office.ear.log();
    expect(gone).toMatchObject({ status: 'failed', attempts: 1, responseStatus: 410 });
    expect(parked).toMatchObject({ id: waiting.id, status: 'failed', error: expect.stringContaining('suspended') });
    await office.after(DAY);
    expect(office.came()).toBe(2);
    office.receiver.answer(200);
    expect(await replayDelivery({ ...office.one, logId: waiting.id })).toMatchObject({ status: 200 });
    expect(await office.disabled()).toBe(SUSPENDED);
  });

  test('by ten deliveries in a row that used up their attempts, and gets nothing from then on', async () => {
    await using office = await post(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(office);
    expect(await office.disabled()).toBe(false);
    await office.event();
    await office.after(0);
    // The eleventh has its first attempt half a second after the tenth, and waits when that one fails for good.
    await office.after(SECOND / 2);
    await office.event();
    await office.after(0);
    expect(await office.disabled()).toBe(false);
    await office.after(SECOND / 2);
    expect(await office.disabled()).toBe(SUSPENDED);
    const came = office.came();
    expect(came).toBe(9 * 2 + 2 + 1);
    const [eleventh, tenth] = await office.ear.log();
    expect(tenth).toMatchObject({ status: 'failed', attempts: 2, responseStatus: 500 });
    expect(eleventh).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringContaining('suspended') });
    await office.event();
    await office.after(DAY);
    expect(office.came()).toBe(came);
    expect(await office.ear.log()).toHaveLength(11);
  });

  test('by ten at once that nobody takes', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await office.receiver[Symbol.asyncDispose]();
    for (let made = 1; made <= 10; made += 1) await office.event();
    await office.after(0);
    expect(await office.disabled()).toBe(false);
    await office.after(SECOND);
    expect(await office.disabled()).toBe(SUSPENDED);
    expect((await office.ear.log()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(10).fill(['failed', 2]),
    );
  });

  test('not by ten failures with a success among them', async () => {
    await using office = await post(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(office);
    office.receiver.answer(200);
    await office.event();
    await office.after(0);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(office);
    expect(await office.disabled()).toBe(false);
    await failOnce(office);
    expect(await office.disabled()).toBe(SUSPENDED);
  });

  test('by five days without a success, once another delivery has used up its attempts', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await failOnce(office);
    await office.after(5 * DAY);
    await office.event();
    await office.after(0);
    expect(await office.disabled()).toBe(false);
    expect(await office.ear.newest()).toMatchObject({ status: 'pending', attempts: 1 });
    await office.after(SECOND - 1);
    await office.event();
    await office.after(0);
    await office.after(1);
    expect(await office.disabled()).toBe(SUSPENDED);
    const came = office.came();
    await office.after(DAY);
    expect(office.came()).toBe(came);
    expect((await office.ear.log()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  });

  test('not by failures shortly before five days are over', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await failOnce(office);
    await office.after(5 * DAY - 2 * SECOND - 1);
    await failOnce(office);
    expect(await office.disabled()).toBe(false);
  });

  test('not by failures five days apart with a success between them', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await failOnce(office);
    await office.after(4 * DAY);
    office.receiver.answer(200);
    await office.event();
    await office.after(DAY);
    await failOnce(office);
    expect(await office.disabled()).toBe(false);
  });

  test('not by replays and samples, whatever they are answered', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await office.event();
    await office.after(0);
    const { id: logId } = await office.ear.newest();
    office.receiver.answer(410);
    for (let times = 1; times <= 10; times += 1) {
      expect((await replayDelivery({ ...office.one, logId })).status).toBe(410);
      expect((await testWebhook(office.one)).status).toBe(410);
    }
    expect(await office.disabled()).toBe(false);
    expect(await office.ear.log({ status: 'pending' })).toEqual([]);
  });

  test('until it is enabled, which forgets its failures', async () => {
    await using office = await post(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 10; failed += 1) await failOnce(office);
    expect(await office.disabled()).toBe(SUSPENDED);
    expect((await enableWebhook(office.one)).webhook.disabled).toBe(false);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(office);
    expect(await office.disabled()).toBe(false);
    office.receiver.answer(200);
    await office.event();
    await office.after(0);
    expect(await office.ear.newest()).toMatchObject({ status: 'delivered' });
  });

  test('until it is enabled, which begins the five days anew', async () => {
    await using office = await post(TWO_ATTEMPTS);
    await failOnce(office);
    await office.after(4 * DAY);
    await enableWebhook(office.one);
    await failOnce(office);
    await office.after(2 * DAY);
    await failOnce(office);
    expect(await office.disabled()).toBe(false);
  });
});

describe('a hub that others reach', () => {
  const PUBLIC = { MOONBASE_PUBLIC_URL: 'https://hub.example' };

  test.each([
    ['address', (url: string) => url],
    ['name', (url: string) => url.replace('127.0.0.1', 'localhost')],
  ])(
    'sends nothing to its own machine, given by its %s: the log says that the address is not allowed',
    async (_what, spelt) => {
      await using office = await post(PUBLIC);
      const webhook = { url: spelt(office.receiver.url), watched: [ALICE], domains: ['repo' as const] };
      await updateWebhook({ ...office.one, webhook });
      await office.event();
      await office.after(0);
      const entry = await office.ear.newest();
      expect(entry).toMatchObject({
        status: 'pending',
        attempts: 1,
        error: expect.stringMatching(/^Address not allowed/),
      });
      const { deliveryAttempts } = await getDelivery({ ...office.one, logId: entry.id });
      expect(deliveryAttempts).toMatchObject([{ url: webhook.url, error: entry.error }]);
      expect(await replayDelivery({ ...office.one, logId: entry.id })).toMatchObject({ status: 0, error: entry.error });
      expect(office.came()).toBe(0);
    },
  );

  test('sends there where the operator allows the address, and names itself by its public URL', async () => {
    await using office = await post({ ...PUBLIC, MOONBASE_OUTBOUND_ALLOW: '10.0.0.0/8,127.0.0.1/32' });
    await office.event();
    await office.after(0);
    expect(await office.ear.newest()).toMatchObject({ status: 'delivered' });
    expect(office.last().payload.repo.url).toEqual({
      web: 'https://hub.example/alice/letters-1',
      api: 'https://hub.example/api/models/alice/letters-1',
    });
  });

  test('allows no more than what it was told to allow', async () => {
    await using office = await post({ ...PUBLIC, MOONBASE_OUTBOUND_ALLOW: '127.0.0.2/32' });
    await office.event();
    await office.after(0);
    expect((await office.ear.newest()).error).toMatch(/^Address not allowed/);
  });
});

describe('a daily limit', () => {
  const TWO_A_DAY = { MOONBASE_WEBHOOK_DAILY_LIMIT: '2' };

  test('throttles what comes above it in any 24 hours: logged, not sent, but it can be replayed', async () => {
    await using office = await post(TWO_A_DAY);
    await office.event();
    await office.after(HOUR);
    await office.event();
    const second = office.now();
    await office.after(HOUR);
    await office.event();
    await office.after(0);
    expect(office.came()).toBe(2);
    const throttled = await office.ear.newest();
    expect(throttled).toMatchObject({ status: 'throttled', attempts: 0, error: expect.any(String) });
    expect((await office.ear.webhook()).lastTriggerAt).toBe(second);
    expect((await office.ear.log()).map(({ status }) => status)).toEqual(['throttled', 'delivered', 'delivered']);
    expect(await replayDelivery({ ...office.one, logId: throttled.id })).toMatchObject({ status: 200 });
    expect(office.last().payload.repo.name).toBe('alice/letters-3');
    expect((await office.ear.webhook()).lastTriggerAt).toBe(second);
    expect(await office.ear.log({ status: 'throttled' })).toHaveLength(1);
  });

  test('rolls: a place is free 24 hours after the trigger that took it; throttled ones, replays and samples take none', async () => {
    await using office = await post(TWO_A_DAY);
    const newestAfter = async (ms: number) => {
      office.hub.clock.advance(ms);
      await office.event();
      await office.after(0);
      return (await office.ear.newest()).status;
    };
    expect(await newestAfter(0)).toBe('delivered');
    await testWebhook(office.one);
    await replayDelivery({ ...office.one, logId: (await office.ear.newest()).id });
    expect(await newestAfter(HOUR)).toBe('delivered');
    expect(await newestAfter(HOUR)).toBe('throttled');
    expect(await newestAfter(DAY - 2 * HOUR - 1)).toBe('throttled');
    expect(await newestAfter(1)).toBe('delivered');
    expect(await newestAfter(HOUR - 1)).toBe('throttled');
    expect(await newestAfter(1)).toBe('delivered');
  });

  test('holds for events that come all at once, and for each webhook by itself', async () => {
    await using office = await post(TWO_A_DAY);
    await using other = await listen(office.hub, office.alice, [{ type: 'model', name: 'alice/letters-3' }]);
    for (let made = 1; made <= 4; made += 1) await office.event();
    await office.after(0);
    expect((await office.ear.log()).map(({ status }) => status)).toEqual([
      'throttled',
      'throttled',
      'delivered',
      'delivered',
    ]);
    expect(await other.news()).toEqual(['repo/create alice/letters-3']);
  });

  test('of 0 lets nothing through', async () => {
    await using office = await post({ MOONBASE_WEBHOOK_DAILY_LIMIT: '0' });
    await office.event();
    await office.after(0);
    expect(office.came()).toBe(0);
    expect((await office.ear.log()).map(({ status }) => status)).toEqual(['throttled']);
    expect(await office.ear.webhook()).not.toHaveProperty('lastTriggerAt');
  });

  test('is none where it is not set', async () => {
    await using office = await post();
    for (let made = 1; made <= 30; made += 1) await office.event();
    await office.after(0);
    expect(office.came()).toBe(30);
  });
});

test('times in the log and in headers are those of the hub’s clock', async () => {
  const clock = createTestClock(Date.parse('2030-02-03T04:05:06.789Z'));
  await using office = await post({}, { clock });
  await office.event();
  await office.after(1500);
  expect(office.last().headers['webhook-timestamp']).toBe(String(Date.parse('2030-02-03T04:05:08.000Z') / 1000));
  expect(await office.ear.newest()).toMatchObject({ createdAt: '2030-02-03T04:05:06.789Z' });
});
