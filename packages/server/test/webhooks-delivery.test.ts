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
/** The schedule allows two attempts, the second after a second. */
const TWO_ATTEMPTS = { MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1' };

/** Starts a hub with the user alice, and her webhook on everything that she owns. */
async function startFixture(
  settings: Record<string, string> = {},
  options: { secret?: string; clock?: TestClock } = {},
) {
  const { secret, clock } = options;
  const hub = await startHub(settings, clock ? { clock } : {});
  await hub.people('alice');
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE], secret === undefined ? {} : { secret });
  const one = { ...alice, webhookId: listener.webhookId };
  let made = 0;
  return {
    hub,
    alice,
    listener,
    one,
    receiver: listener.receiver,
    /** Creates a repository, and thereby an event. */
    async createEvent() {
      made += 1;
      await createRepo({ ...alice, repo: `alice/letters-${made}` });
    },
    /** Advances the clock and runs everything that is due then. */
    async advance(ms: number) {
      hub.clock.advance(ms);
      await hub.drain();
    },
    /** Returns the number of requests to the receiver. */
    requestCount: () => listener.receiver.received.length,
    lastRequest: () => listener.receiver.received.at(-1)!,
    now: () => new Date(hub.clock.now()).toISOString(),
    at: (ms: number) => new Date(hub.clock.now() + ms).toISOString(),
    disabled: async () => (await listener.webhook()).disabled,
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Creates an event whose delivery fails after two attempts. */
async function failOnce(fixture: Fixture) {
  fixture.receiver.answer(500);
  await fixture.createEvent();
  await fixture.advance(0);
  await fixture.advance(SECOND);
}

/** The signature that a receiver expects (Standard Webhooks: HMAC-SHA256 over id, timestamp and body). */
function signature(key: string | Buffer, { headers, text }: Received): string {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('a delivery', () => {
  test('is a POST of JSON with the sender, the time and the id in its headers', async () => {
    await using fixture = await startFixture();
    await fixture.createEvent();
    await fixture.advance(0);
    const { headers, path, text } = fixture.lastRequest();
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
      'user-agent': expect.stringMatching(/^Moonbase/),
      'webhook-id': (await fixture.listener.newest()).id,
      'webhook-timestamp': String(fixture.hub.clock.now() / 1000),
    });
  });

  test('without a secret has neither secret nor signature', async () => {
    await using fixture = await startFixture();
    await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.lastRequest().headers).not.toHaveProperty('x-webhook-secret');
    expect(fixture.lastRequest().headers).not.toHaveProperty('webhook-signature');
  });

  test('with a secret carries the secret and a signature', async () => {
    await using fixture = await startFixture({}, { secret: 'hush, hush' });
    await fixture.createEvent();
    await fixture.advance(0);
    const received = fixture.lastRequest();
    expect(received.headers['x-webhook-secret']).toBe('hush, hush');
    expect(received.headers['webhook-signature']).toBe(signature('hush, hush', received));
  });

  test('with a whsec_ secret is signed with the bytes that the secret encodes', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
    const secret = `whsec_${key.toString('base64')}`;
    await using fixture = await startFixture({}, { secret });
    await fixture.createEvent();
    await fixture.advance(0);
    const received = fixture.lastRequest();
    expect(received.headers['x-webhook-secret']).toBe(secret);
    expect(received.headers['webhook-signature']).toBe(signature(key, received));
  });

  test.each([' outer', 'outer ', 'del\u007f'])(
    'with a secret that no header can carry (%j) is signed only, and the log says so',
    async (secret) => {
      await using fixture = await startFixture({}, { secret });
      await fixture.createEvent();
      await fixture.advance(0);
      const received = fixture.lastRequest();
      expect(received.headers).not.toHaveProperty('x-webhook-secret');
      expect(received.headers['webhook-signature']).toBe(signature(secret, received));
      const { deliveryAttempts } = await getDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id });
      expect(deliveryAttempts[0]?.note).toContain('X-Webhook-Secret');
    },
  );

  test('succeeds with any status from 200 to 299', async () => {
    await using fixture = await startFixture();
    for (const status of [200, 201, 202, 204, 299]) {
      fixture.receiver.answer(status, {}, '');
      await fixture.createEvent();
      await fixture.advance(0);
      expect(await fixture.listener.newest()).toMatchObject({
        status: 'delivered',
        responseStatus: status,
        attempts: 1,
      });
    }
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(5);
  });
});

describe('a secret that is rotated', () => {
  test('signs beside the new one for 24 hours; the header carries the new one at once', async () => {
    await using fixture = await startFixture({}, { secret: 'old' });
    await rotateWebhookSecret({ ...fixture.one, secret: 'new' });
    const expectSignedWith = async (...keys: string[]) => {
      await fixture.createEvent();
      await fixture.advance(0);
      const received = fixture.lastRequest();
      expect(received.headers['x-webhook-secret']).toBe('new');
      expect(received.headers['webhook-signature']).toBe(keys.map((key) => signature(key, received)).join(' '));
    };
    await expectSignedWith('new', 'old');
    await fixture.advance(DAY - 1);
    await expectSignedWith('new', 'old');
    await fixture.advance(1);
    await expectSignedWith('new');
  });

  test('no longer signs if an update sets the new one', async () => {
    await using fixture = await startFixture({}, { secret: 'old' });
    await rotateWebhookSecret({ ...fixture.one, secret: 'between' });
    await updateWebhook({
      ...fixture.one,
      webhook: { url: fixture.receiver.url, watched: [ALICE], domains: ['repo'], secret: 'new' },
    });
    await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.lastRequest().headers['webhook-signature']).toBe(signature('new', fixture.lastRequest()));
  });

  test('may be the first secret of its webhook', async () => {
    await using fixture = await startFixture();
    expect(await rotateWebhookSecret({ ...fixture.one, secret: 'first' })).toEqual({ success: true });
    expect((await fixture.listener.webhook()).hasSecret).toBe(true);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.lastRequest().headers['webhook-signature']).toBe(signature('first', fixture.lastRequest()));
  });
});

describe('retries', () => {
  test('come after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, up to the eighth attempt, and never earlier', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500);
    await fixture.createEvent();
    await fixture.advance(0);
    for (const [at, wait] of SCHEDULE.entries()) {
      expect(fixture.requestCount()).toBe(at + 1);
      expect(await fixture.listener.newest()).toMatchObject({
        status: 'retrying',
        attempts: at + 1,
        responseStatus: 500,
        nextAttemptAt: fixture.at(wait),
      });
      await fixture.advance(wait - 1);
      expect(fixture.requestCount()).toBe(at + 1);
      await fixture.advance(1);
    }
    expect(fixture.requestCount()).toBe(8);
    const failed = await fixture.listener.newest();
    expect(failed).toMatchObject({ status: 'failed', attempts: 8, responseStatus: 500 });
    expect(failed).not.toHaveProperty('nextAttemptAt');
    await fixture.advance(30 * DAY);
    expect(fixture.requestCount()).toBe(8);
    expect(await fixture.disabled()).toBe(false);
  });

  test('carry the same id and body, a new time and a new signature', async () => {
    await using fixture = await startFixture({}, { secret: 'hush' });
    fixture.receiver.answer(503);
    await fixture.createEvent();
    await fixture.advance(0);
    await fixture.advance(5 * SECOND);
    await fixture.advance(5 * MINUTE);
    const received = fixture.receiver.received;
    const [first] = received;
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(first?.headers['webhook-id']));
    expect(received.map(({ text }) => text)).toEqual(Array(3).fill(first?.text));
    const start = Number(first?.headers['webhook-timestamp']);
    expect(received.map(({ headers }) => Number(headers['webhook-timestamp']) - start)).toEqual([0, 5, 305]);
    for (const each of received) expect(each.headers['webhook-signature']).toBe(signature('hush', each));
  });

  test('end with the first success, and the log keeps each attempt', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500, {}, 'not now');
    await fixture.createEvent();
    await fixture.advance(0);
    const first = fixture.now();
    fixture.receiver.answer(200, {}, 'now');
    await fixture.advance(5 * SECOND);
    const { deliveryAttempts, ...entry } = await getDelivery({
      ...fixture.one,
      logId: (await fixture.listener.newest()).id,
    });
    expect(entry).toMatchObject({ status: 'delivered', attempts: 2, responseStatus: 200 });
    const url = fixture.receiver.url;
    expect(deliveryAttempts).toMatchObject([
      { at: first, url, responseStatus: 500, responseBody: 'not now' },
      { at: fixture.now(), url, responseStatus: 200, responseBody: 'now' },
    ]);
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(2);
  });

  test('use the URL and the secret that the webhook has at that time', async () => {
    await using fixture = await startFixture({}, { secret: 'old' });
    await using elsewhere = await startReceiver();
    fixture.receiver.answer(500);
    await fixture.createEvent();
    await fixture.advance(0);
    const webhook = { url: elsewhere.url, watched: [ALICE], domains: ['repo' as const], secret: 'new' };
    await updateWebhook({ ...fixture.one, webhook });
    await fixture.advance(5 * SECOND);
    expect(fixture.requestCount()).toBe(1);
    const [received] = elsewhere.received;
    expect(received?.headers['x-webhook-secret']).toBe('new');
    expect(received?.headers['webhook-signature']).toBe(signature('new', received!));
    expect(received?.headers['webhook-id']).toBe(fixture.lastRequest().headers['webhook-id']);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('end with the webhook', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500);
    await fixture.createEvent();
    await fixture.advance(0);
    await deleteWebhook(fixture.one);
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(1);
  });

  test.each([
    ['seconds lengthen the wait', () => '600', 600 * SECOND],
    ['a date lengthens it', (now: number) => new Date(now + HOUR).toUTCString(), HOUR],
    ['fewer seconds do not shorten it', () => '1', 5 * SECOND],
    ['24 hours is the maximum', () => '1000000', DAY],
    ['any other value changes nothing', () => 'later', 5 * SECOND],
  ])('heed Retry-After: %s', async (_what, value, wait) => {
    await using fixture = await startFixture();
    fixture.receiver.answer(429, { 'retry-after': value(fixture.hub.clock.now()) });
    await fixture.createEvent();
    await fixture.advance(0);
    expect((await fixture.listener.newest()).nextAttemptAt).toBe(fixture.at(wait));
    await fixture.advance(wait - 1);
    expect(fixture.requestCount()).toBe(1);
    await fixture.advance(1);
    expect(fixture.requestCount()).toBe(2);
  });

  test('never follow a redirect, which is a failure', async () => {
    await using fixture = await startFixture();
    await using elsewhere = await startReceiver();
    for (const status of [301, 302, 303, 307, 308]) {
      fixture.receiver.answer(status, { location: elsewhere.url });
      await fixture.createEvent();
      await fixture.advance(0);
      expect(await fixture.listener.newest()).toMatchObject({
        status: 'retrying',
        attempts: 1,
        responseStatus: status,
      });
    }
    expect(elsewhere.received).toEqual([]);
  });

  test('follow a refused connection, which the log names', async () => {
    await using fixture = await startFixture();
    await fixture.receiver[Symbol.asyncDispose]();
    await fixture.createEvent();
    await fixture.advance(0);
    const entry = await fixture.listener.newest();
    expect(entry).toMatchObject({ status: 'retrying', attempts: 1, error: 'Connection refused' });
    expect(entry).not.toHaveProperty('responseStatus');
    const { deliveryAttempts } = await getDelivery({ ...fixture.one, logId: entry.id });
    expect(deliveryAttempts).toEqual([
      {
        ...{ at: fixture.now(), url: fixture.receiver.url, error: 'Connection refused' },
        ...{ requestHeaders: expect.any(Object), durationMs: expect.any(Number) },
      },
    ]);
  });

  test('follow the schedule that the operator has set', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '60,7' });
    fixture.receiver.answer(500);
    await fixture.createEvent();
    await fixture.advance(0);
    expect((await fixture.listener.newest()).nextAttemptAt).toBe(fixture.at(MINUTE));
    await fixture.advance(MINUTE);
    expect((await fixture.listener.newest()).nextAttemptAt).toBe(fixture.at(7 * SECOND));
    await fixture.advance(7 * SECOND);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'failed', attempts: 3 });
  });

  test('send nothing more to an owner who lost access meanwhile', async () => {
    await using hub = await startHub();
    const member = (change: object) =>
      hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', ...change }] }] });
    await hub.apply({
      users: ['alice', 'bob'].map(person),
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
    });
    await using listener = await listen(hub, hub.as('bob'), [{ type: 'org', name: 'acme' }]);
    listener.receiver.answer(500);
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
    expect(await listener.payloads()).toHaveLength(1);
    expect(await listener.newest()).toMatchObject({ status: 'retrying' });
    await member({ state: 'absent' });
    listener.receiver.answer(200);
    hub.clock.advance(5 * SECOND);
    expect(await listener.payloads()).toEqual([]);
    expect(await listener.log()).toEqual([]);
    await member({ role: 'read' });
    hub.clock.advance(DAY);
    expect(await listener.payloads()).toEqual([]);
    expect(await listener.newest()).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('can no longer read'),
    });
  });

  test('send nothing more about a repository that moved out of sight', async () => {
    await using hub = await startHub();
    await hub.apply({
      users: ['alice', 'bob'].map(person),
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
    });
    await using listener = await listen(hub, hub.as('bob'), [{ type: 'org', name: 'acme' }]);
    listener.receiver.answer(500);
    await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
    expect(await listener.payloads()).toHaveLength(1);
    await moveRepo({ ...hub.as('alice'), from: 'acme/secret', to: 'alice/secret' });
    hub.clock.advance(5 * SECOND);
    expect(await listener.payloads()).toEqual([]);
    expect(await listener.log()).toEqual([]);
  });
});

describe('a webhook is suspended', () => {
  const SUSPENDED = 'suspended-after-failure';

  test('by a 410, at once; pending deliveries fail and can be replayed', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500);
    await fixture.createEvent();
    await fixture.advance(0);
    const waiting = await fixture.listener.newest();
    fixture.receiver.answer(410);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.disabled()).toBe(SUSPENDED);
    const [gone, parked] = await fixture.listener.log();
    expect(gone).toMatchObject({ status: 'failed', attempts: 1, responseStatus: 410 });
    expect(parked).toMatchObject({ id: waiting.id, status: 'failed', error: expect.stringContaining('suspended') });
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(2);
    fixture.receiver.answer(200);
    expect(await replayDelivery({ ...fixture.one, logId: waiting.id })).toMatchObject({ status: 200 });
    expect(await fixture.disabled()).toBe(SUSPENDED);
  });

  test('by ten deliveries in a row that used up their attempts, and gets nothing more', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
    await fixture.createEvent();
    await fixture.advance(0);
    // The eleventh delivery has its first attempt half a second after the tenth, and waits when the tenth fails for
    // good.
    await fixture.advance(SECOND / 2);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.disabled()).toBe(false);
    await fixture.advance(SECOND / 2);
    expect(await fixture.disabled()).toBe(SUSPENDED);
    const came = fixture.requestCount();
    expect(came).toBe(9 * 2 + 2 + 1);
    const [eleventh, tenth] = await fixture.listener.log();
    expect(tenth).toMatchObject({ status: 'failed', attempts: 2, responseStatus: 500 });
    expect(eleventh).toMatchObject({ status: 'failed', attempts: 1, error: expect.stringContaining('suspended') });
    await fixture.createEvent();
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(came);
    expect(await fixture.listener.log()).toHaveLength(11);
  });

  test('by ten concurrent deliveries that no receiver accepts', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await fixture.receiver[Symbol.asyncDispose]();
    for (let made = 1; made <= 10; made += 1) await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.disabled()).toBe(false);
    await fixture.advance(SECOND);
    expect(await fixture.disabled()).toBe(SUSPENDED);
    expect((await fixture.listener.log()).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(10).fill(['failed', 2]),
    );
  });

  test('not by ten failures with a success among them', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(fixture);
    fixture.receiver.answer(200);
    await fixture.createEvent();
    await fixture.advance(0);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
    await failOnce(fixture);
    expect(await fixture.disabled()).toBe(SUSPENDED);
  });

  test('by five days without a success, once another delivery has used up its attempts', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await failOnce(fixture);
    await fixture.advance(5 * DAY);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.disabled()).toBe(false);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'retrying', attempts: 1 });
    await fixture.advance(SECOND - 1);
    await fixture.createEvent();
    await fixture.advance(0);
    await fixture.advance(1);
    expect(await fixture.disabled()).toBe(SUSPENDED);
    const came = fixture.requestCount();
    await fixture.advance(DAY);
    expect(fixture.requestCount()).toBe(came);
    expect((await fixture.listener.log()).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
  });

  test('not by failures shortly before five days are over', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await failOnce(fixture);
    await fixture.advance(5 * DAY - 2 * SECOND - 1);
    await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
  });

  test('not by failures five days apart with a success between them', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await failOnce(fixture);
    await fixture.advance(4 * DAY);
    fixture.receiver.answer(200);
    await fixture.createEvent();
    await fixture.advance(DAY);
    await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
  });

  test('not by replays and samples, whatever their responses', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await fixture.createEvent();
    await fixture.advance(0);
    const { id: logId } = await fixture.listener.newest();
    fixture.receiver.answer(410);
    for (let times = 1; times <= 10; times += 1) {
      expect((await replayDelivery({ ...fixture.one, logId })).status).toBe(410);
      expect((await testWebhook(fixture.one)).status).toBe(410);
    }
    expect(await fixture.disabled()).toBe(false);
    expect(await fixture.listener.log({ status: 'pending' })).toEqual([]);
    expect(await fixture.listener.log({ status: 'retrying' })).toEqual([]);
  });

  test('until it is enabled, which resets its failures', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    for (let failed = 1; failed <= 10; failed += 1) await failOnce(fixture);
    expect(await fixture.disabled()).toBe(SUSPENDED);
    expect((await enableWebhook(fixture.one)).webhook.disabled).toBe(false);
    for (let failed = 1; failed <= 9; failed += 1) await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
    fixture.receiver.answer(200);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'delivered' });
  });

  test('until it is enabled, which restarts the five days', async () => {
    await using fixture = await startFixture(TWO_ATTEMPTS);
    await failOnce(fixture);
    await fixture.advance(4 * DAY);
    await enableWebhook(fixture.one);
    await failOnce(fixture);
    await fixture.advance(2 * DAY);
    await failOnce(fixture);
    expect(await fixture.disabled()).toBe(false);
  });
});

describe('a public hub', () => {
  const PUBLIC = { MOONBASE_PUBLIC_URL: 'https://hub.example' };

  test.each([
    ['address', (url: string) => url],
    ['name', (url: string) => url.replace('127.0.0.1', 'localhost')],
  ])(
    'sends nothing to its own machine, given by its %s: the log says that the address is not allowed',
    async (_what, spelt) => {
      await using fixture = await startFixture(PUBLIC);
      const webhook = { url: spelt(fixture.receiver.url), watched: [ALICE], domains: ['repo' as const] };
      await updateWebhook({ ...fixture.one, webhook });
      await fixture.createEvent();
      await fixture.advance(0);
      const entry = await fixture.listener.newest();
      expect(entry).toMatchObject({
        status: 'retrying',
        attempts: 1,
        error: expect.stringMatching(/^Address not allowed/),
      });
      const { deliveryAttempts } = await getDelivery({ ...fixture.one, logId: entry.id });
      expect(deliveryAttempts).toMatchObject([{ url: webhook.url, error: entry.error }]);
      expect(await replayDelivery({ ...fixture.one, logId: entry.id })).toMatchObject({
        status: 0,
        error: entry.error,
      });
      expect(fixture.requestCount()).toBe(0);
    },
  );

  test('sends to addresses that the operator allows, and names itself by its public URL', async () => {
    await using fixture = await startFixture({ ...PUBLIC, MOONBASE_OUTBOUND_ALLOW: '10.0.0.0/8,127.0.0.1/32' });
    await fixture.createEvent();
    await fixture.advance(0);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'delivered' });
    expect(fixture.lastRequest().payload.repo.url).toEqual({
      web: 'https://hub.example/alice/letters-1',
      api: 'https://hub.example/api/models/alice/letters-1',
    });
  });

  test('sends to no other private addresses', async () => {
    await using fixture = await startFixture({ ...PUBLIC, MOONBASE_OUTBOUND_ALLOW: '127.0.0.2/32' });
    await fixture.createEvent();
    await fixture.advance(0);
    expect((await fixture.listener.newest()).error).toMatch(/^Address not allowed/);
  });
});

describe('a daily limit', () => {
  const TWO_A_DAY = { MOONBASE_WEBHOOK_DAILY_LIMIT: '2' };

  test('throttles deliveries above it in any 24 hours: they are logged, not sent, and can be replayed', async () => {
    await using fixture = await startFixture(TWO_A_DAY);
    await fixture.createEvent();
    await fixture.advance(HOUR);
    await fixture.createEvent();
    const second = fixture.now();
    await fixture.advance(HOUR);
    await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.requestCount()).toBe(2);
    const throttled = await fixture.listener.newest();
    expect(throttled).toMatchObject({ status: 'throttled', attempts: 0, error: expect.any(String) });
    expect((await fixture.listener.webhook()).lastTriggerAt).toBe(second);
    expect((await fixture.listener.log()).map(({ status }) => status)).toEqual(['throttled', 'delivered', 'delivered']);
    expect(await replayDelivery({ ...fixture.one, logId: throttled.id })).toMatchObject({ status: 200 });
    expect(fixture.lastRequest().payload.repo.name).toBe('alice/letters-3');
    expect((await fixture.listener.webhook()).lastTriggerAt).toBe(second);
    expect(await fixture.listener.log({ status: 'throttled' })).toHaveLength(1);
  });

  test('counts the triggers of the last 24 hours, without throttled ones, replays and samples', async () => {
    await using fixture = await startFixture(TWO_A_DAY);
    const newestAfter = async (ms: number) => {
      fixture.hub.clock.advance(ms);
      await fixture.createEvent();
      await fixture.advance(0);
      return (await fixture.listener.newest()).status;
    };
    expect(await newestAfter(0)).toBe('delivered');
    await testWebhook(fixture.one);
    await replayDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id });
    expect(await newestAfter(HOUR)).toBe('delivered');
    expect(await newestAfter(HOUR)).toBe('throttled');
    expect(await newestAfter(DAY - 2 * HOUR - 1)).toBe('throttled');
    expect(await newestAfter(1)).toBe('delivered');
    expect(await newestAfter(HOUR - 1)).toBe('throttled');
    expect(await newestAfter(1)).toBe('delivered');
  });

  test('applies to concurrent events, and to each webhook separately', async () => {
    await using fixture = await startFixture(TWO_A_DAY);
    await using other = await listen(fixture.hub, fixture.alice, [{ type: 'model', name: 'alice/letters-3' }]);
    for (let made = 1; made <= 4; made += 1) await fixture.createEvent();
    await fixture.advance(0);
    expect((await fixture.listener.log()).map(({ status }) => status)).toEqual([
      'throttled',
      'throttled',
      'delivered',
      'delivered',
    ]);
    expect(await other.events()).toEqual(['repo/create alice/letters-3']);
  });

  test('of 0 throttles everything', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_DAILY_LIMIT: '0' });
    await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.requestCount()).toBe(0);
    expect((await fixture.listener.log()).map(({ status }) => status)).toEqual(['throttled']);
    expect(await fixture.listener.webhook()).not.toHaveProperty('lastTriggerAt');
  });

  test('does not exist by default', async () => {
    await using fixture = await startFixture();
    for (let made = 1; made <= 30; made += 1) await fixture.createEvent();
    await fixture.advance(0);
    expect(fixture.requestCount()).toBe(30);
  });
});

test('times in the log and in headers come from the hub’s clock', async () => {
  const clock = createTestClock(Date.parse('2030-02-03T04:05:06.789Z'));
  await using fixture = await startFixture({}, { clock });
  await fixture.createEvent();
  await fixture.advance(1500);
  expect(fixture.lastRequest().headers['webhook-timestamp']).toBe(
    String(Date.parse('2030-02-03T04:05:08.000Z') / 1000),
  );
  expect(await fixture.listener.newest()).toMatchObject({ createdAt: '2030-02-03T04:05:06.789Z' });
});
