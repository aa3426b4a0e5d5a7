import { createDiscussion } from '@moonbase/client/discussions';
import { parseLinks } from '@moonbase/client/pages';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  createWebhook,
  type Delivery,
  disableWebhook,
  getDelivery,
  listDeliveries,
  replayDelivery,
  testWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { DELIVERY_STATUSES } from '@moonbase/contract/webhooks/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR, MINUTE, SECOND } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { type Listener, listen, listening, refusal } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const UNKNOWN = '0123456789abcdef01234567';

/**
 * Starts a hub with alice, who is admin of acme, bob, who reads there, and carol. alice has a webhook on her own
 * property and acme's.
 */
async function startFixture(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
  });
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE, { type: 'org', name: 'acme' }]);
  return {
    ...listening(hub, alice, listener),
    alice,
    bob: hub.as('bob'),
    /** Creates a repository and delivers its event. */
    async create(repo: string, isPrivate = false) {
      await createRepo({ ...alice, repo, private: isPrivate });
      await hub.drain();
    },
  };
}

const names = (entries: readonly Delivery[]) => entries.map(({ repo }) => repo.name);
const numbered = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => `alice/letters-${from - at}`);
const exchange = async (caller: Connection, path: string) => {
  const answer = await ask(caller, `GET ${path}`);
  return { status: answer.status, link: answer.headers.get('link'), body: (await answer.json()) as unknown };
};

describe('an entry of the log', () => {
  test('of a delivery that arrived has exactly these fields', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    const entry = {
      id: ID,
      createdAt: fixture.now(),
      event: { scope: 'repo', action: 'create' },
      repo: { type: 'model', name: 'alice/letters' },
      status: 'delivered',
      attempts: 1,
      responseStatus: 200,
      durationMs: expect.any(Number),
    };
    expect(await fixture.listener.log()).toEqual([entry]);
    const payload = JSON.parse(fixture.receiver.received[0]!.text) as unknown;
    const { id } = await fixture.listener.newest();
    expect(await getDelivery({ ...fixture.one, logId: id })).toEqual({
      ...entry,
      payload,
      deliveryAttempts: [
        {
          at: fixture.now(),
          url: fixture.receiver.url,
          requestHeaders: expect.objectContaining({ 'webhook-id': id }),
          responseStatus: 200,
          responseHeaders: expect.objectContaining({ connection: expect.any(String) }),
          responseBody: 'thank you',
          durationMs: expect.any(Number),
        },
      ],
    });
  });

  test('of a throttled delivery has its payload, but no attempt', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_DAILY_LIMIT: '0' });
    await fixture.create('alice/letters');
    const { id } = await fixture.listener.newest();
    expect(await getDelivery({ ...fixture.one, logId: id })).toMatchObject({
      status: 'throttled',
      attempts: 0,
      deliveryAttempts: [],
      payload: { repo: { name: 'alice/letters' }, webhook: { id: fixture.listener.webhookId, version: 3 } },
    });
  });

  test('keeps the headers and the first 4 KiB of each response, in whole characters', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500, { 'x-reason': 'Tuesday' }, `x${'é'.repeat(5000)}`);
    await fixture.create('alice/letters');
    fixture.receiver.answer(200, {}, 'y'.repeat(4096));
    fixture.hub.clock.advance(5 * SECOND);
    await fixture.hub.drain();
    const { deliveryAttempts } = await getDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id });
    expect(deliveryAttempts.map(({ responseBody }) => responseBody)).toEqual([
      `x${'é'.repeat((4096 - 2) / 2)}`,
      'y'.repeat(4096),
    ]);
    expect(deliveryAttempts[0]?.responseHeaders).toMatchObject({ 'x-reason': 'Tuesday' });
  });

  test('has the headers of a request as the receiver got them, but neither secret nor signature', async () => {
    await using fixture = await startFixture();
    await using other = await listen(fixture.hub, fixture.alice, [ALICE], { secret: 'hush' });
    const one = { ...fixture.alice, webhookId: other.webhookId };
    const { id } = await testWebhook(one);
    const { deliveryAttempts } = await getDelivery({ ...one, logId: id });
    const { headers } = other.receiver.received[0]!;
    expect(headers).toMatchObject({ 'x-webhook-secret': 'hush', 'webhook-signature': expect.any(String) });
    const { requestHeaders = {} } = deliveryAttempts[0]!;
    expect(headers).toMatchObject(requestHeaders);
    expect(Object.keys(requestHeaders)).toEqual([
      ...['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'x-webhook-test'],
    ]);
  });

  test('has the payload as it was sent, whatever changed since', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    const { id } = await fixture.listener.newest();
    await moveRepo({ ...fixture.alice, from: 'alice/letters', to: 'alice/poems' });
    await fixture.hub.drain();
    const { payload, repo } = await getDelivery({ ...fixture.one, logId: id });
    expect([payload.repo.name, repo.name]).toEqual(['alice/letters', 'alice/letters']);
  });

  test('stays when its repository is deleted', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters', true);
    await deleteRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    const entries = await fixture.listener.log();
    expect(entries.map(({ event }) => event.action)).toEqual(['delete', 'create']);
    expect(await replayDelivery({ ...fixture.one, logId: entries[1]!.id })).toMatchObject({ status: 200 });
  });

  test('is found by its owner under its webhook only', async () => {
    await using fixture = await startFixture();
    await using other = await listen(fixture.hub, fixture.alice, [{ type: 'model', name: 'alice/letters' }]);
    await fixture.create('alice/letters');
    const { id: logId } = await fixture.listener.newest();
    const { id: ofOther } = await other.newest();
    const attempts = [
      { ...fixture.one, logId: UNKNOWN },
      { ...fixture.one, logId: 'nonsense' },
      { ...fixture.one, logId: ofOther },
      { ...fixture.alice, webhookId: other.webhookId, logId },
    ];
    for (const attempt of attempts)
      for (const call of [getDelivery, replayDelivery]) {
        const { status, message } = await refusal(call(attempt));
        expect([status, message]).toEqual([404, 'There is no such entry in the log of this webhook']);
      }
    for (const call of [getDelivery, replayDelivery])
      expect(await refusal(call({ ...fixture.bob, webhookId: fixture.listener.webhookId, logId }))).toMatchObject({
        status: 404,
      });
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

describe('the list', () => {
  let fixture: Awaited<ReturnType<typeof startFixture>>;
  let logs: string;
  let started: number;

  /** The log has 25 entries, one a minute: letters-1 to letters-25; those from 21 on wait after a first failure. */
  beforeAll(async () => {
    fixture = await startFixture();
    logs = `/api/settings/webhooks/${fixture.listener.webhookId}/logs`;
    started = fixture.hub.clock.now();
    for (let made = 1; made <= 25; made += 1) {
      if (made === 21) fixture.receiver.answer(500);
      await createRepo({ ...fixture.alice, type: made % 2 ? 'model' : 'dataset', repo: `alice/letters-${made}` });
      await fixture.hub.drain();
      fixture.hub.clock.advance(MINUTE);
    }
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const minute = (at: number, ms = 0) => new Date(started + at * MINUTE + ms).toISOString();
  const list = (query: string) => exchange(fixture.alice, `${logs}${query}`);

  test('has the newest first, all on a page of 100', async () => {
    const { body, link } = await list('');
    expect(names(body as Delivery[])).toEqual(numbered(25, 1));
    expect(link).toBeNull();
  });

  test('is continued by Link headers with absolute URLs that repeat the query, until the last page', async () => {
    const pages: string[][] = [];
    let url: string | undefined = `${fixture.hub.url}${logs}?limit=10&from=${minute(0)}`;
    while (url !== undefined && pages.length < 5) {
      expect(new URL(url).searchParams.get('limit')).toBe('10');
      expect(new URL(url).searchParams.get('from')).toBe(minute(0));
      const { body, link } = await exchange(fixture.alice, url.slice(fixture.hub.url.length));
      pages.push(names(body as Delivery[]));
      const { next } = parseLinks(link);
      if (next !== undefined) expect(link).toBe(`<${next}>; rel="next"`);
      url = next;
      if (url !== undefined) expect(url.startsWith(`${fixture.hub.url}${logs}?`)).toBe(true);
    }
    expect(pages).toEqual([numbered(25, 16), numbered(15, 6), numbered(5, 1)]);
  });

  test('is read completely by the client, whatever the size of a page', async () => {
    for (const pageSize of [10, 24, 25, 1000])
      expect(names(await collect(listDeliveries({ ...fixture.one, pageSize })))).toEqual(numbered(25, 1));
  });

  test('a page that holds exactly the last entries names no next one', async () => {
    expect((await list('?limit=25')).link).toBeNull();
    expect((await list('?limit=24')).link).not.toBeNull();
  });

  test.each(['10', '1000', '100'])('accepts the limit %s', async (limit) => {
    const { status, body } = await list(`?limit=${limit}`);
    expect([status, (body as Delivery[]).length]).toEqual([200, Math.min(25, Number(limit))]);
  });

  test.each(['9', '0', '1001', '-10', '1.5', '10.0', '', '0x10', '1e2', '+10', '010', '%2010', 'ten', '10&limit=20'])(
    'refuses the limit "%s"',
    async (limit) => {
      const { status, body } = await list(`?limit=${limit}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ issues: [{ path: 'query.limit' }] });
    },
  );

  test.each(['', 'nonsense', '7', UNKNOWN, '%F0%9F%8C%99', Buffer.from(`${UNKNOWN}0`).toString('base64url')])(
    'refuses the cursor "%s"',
    async (cursor) => {
      const { status, body } = await list(`?cursor=${cursor}`);
      expect([status, body]).toEqual([400, { error: expect.stringContaining('cursor') }]);
    },
  );

  test('continues at its cursor, even after newer entries and if the cursor names no entry', async () => {
    const cursor = Buffer.from('f'.repeat(24)).toString('base64url');
    expect(names((await list(`?cursor=${cursor}`)).body as Delivery[])).toEqual(numbered(25, 1));
    expect((await list(`?cursor=${Buffer.from('0'.repeat(24)).toString('base64url')}`)).body).toEqual([]);
  });

  test('is filtered by status', async () => {
    const byStatus = await Promise.all(DELIVERY_STATUSES.map((status) => fixture.listener.log({ status })));
    expect(Object.fromEntries(DELIVERY_STATUSES.map((status, at) => [status, names(byStatus[at]!)]))).toEqual({
      pending: [],
      retrying: numbered(25, 21),
      delivered: numbered(20, 1),
      failed: [],
      throttled: [],
    });
  });

  test('is filtered by repository, regardless of case', async () => {
    expect(names(await fixture.listener.log({ repo: 'alice/letters-7' }))).toEqual(['alice/letters-7']);
    expect(names(await fixture.listener.log({ repo: 'ALICE/Letters-7' }))).toEqual(['alice/letters-7']);
    expect(await fixture.listener.log({ repo: 'alice/letters' })).toEqual([]);
    expect(await fixture.listener.log({ repo: 'alice/letters-%' })).toEqual([]);
  });

  test('is filtered by time, both ends included', async () => {
    expect(names(await fixture.listener.log({ from: minute(23) }))).toEqual(numbered(25, 24));
    expect(names(await fixture.listener.log({ from: minute(23, 1) }))).toEqual(numbered(25, 25));
    expect(names(await fixture.listener.log({ to: minute(1) }))).toEqual(numbered(2, 1));
    expect(names(await fixture.listener.log({ to: minute(1, -1) }))).toEqual(numbered(1, 1));
    expect(names(await fixture.listener.log({ from: minute(9), to: minute(11) }))).toEqual(numbered(12, 10));
    expect(await fixture.listener.log({ from: minute(11), to: minute(9) })).toEqual([]);
    expect(names(await fixture.listener.log({ from: '1970-01-01T00:00:00Z' }))).toEqual(numbered(25, 1));
    expect(await fixture.listener.log({ to: '1970-01-01T00:00:00Z' })).toEqual([]);
    expect(names(await fixture.listener.log({ to: '9999-12-31T23:59:59Z' }))).toEqual(numbered(25, 1));
    expect(await fixture.listener.log({ from: '9999-12-31T23:59:59Z' })).toEqual([]);
  });

  test('is filtered by all of these at once, page by page', async () => {
    const filtered = listDeliveries({
      ...fixture.one,
      status: 'delivered',
      from: minute(5),
      to: minute(18),
      pageSize: 10,
    });
    expect(names(await collect(filtered))).toEqual(numbered(19, 6));
    expect(await fixture.listener.log({ status: 'pending', repo: 'alice/letters-7' })).toEqual([]);
  });

  test.each([
    ['status', 'done'],
    ['status', 'DELIVERED'],
    ['scope', 'repos'],
    ['from', 'yesterday'],
    ['from', '2026-01-05'],
    ['to', '2026-01-05T12:00:00+01:00'],
    ['to', ''],
  ])('refuses the %s "%s"', async (name, value) => {
    const { status, body } = await list(`?${name}=${encodeURIComponent(value)}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ issues: [{ path: `query.${name}` }] });
  });

  test('is filtered by scope', async () => {
    await using desk = await startFixture();
    await desk.create('alice/letters');
    await createDiscussion({
      ...desk.bob,
      type: 'model',
      repo: 'alice/letters',
      title: 'A pull',
      description: 'Pull!',
      pullRequest: true,
    });
    await updateRepoSettings({ ...desk.alice, type: 'model', repo: 'alice/letters', settings: { private: true } });
    await desk.hub.drain();
    const scopes = ['repo', 'repo.content', 'repo.config', 'discussion', 'discussion.comment'] as const;
    const found = await Promise.all(scopes.map((scope) => desk.listener.log({ scope })));
    expect(found.map((entries) => entries.map(({ event }) => `${event.scope}/${event.action}`))).toEqual([
      ['repo/create'],
      ['repo.content/update'],
      ['repo.config/update'],
      ['discussion/create'],
      [],
    ]);
  });
});

describe('a replay', () => {
  test('sends the stored payload once more, under an id and an entry of its own', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    const original = await fixture.listener.newest();
    await deleteRepo({ ...fixture.alice, repo: 'alice/letters' });
    await fixture.hub.drain();
    fixture.receiver.received.splice(1);
    fixture.hub.clock.advance(HOUR);
    const { lastTriggerAt } = await fixture.listener.webhook();
    const { id, ...answer } = await replayDelivery({ ...fixture.one, logId: original.id });
    expect(answer).toEqual({ status: 200 });
    const [first, second] = fixture.receiver.received;
    expect(second?.text).toBe(first?.text);
    expect([first?.headers['webhook-id'], second?.headers['webhook-id']]).toEqual([original.id, id]);
    expect(await fixture.listener.newest()).toEqual({
      ...original,
      id,
      createdAt: fixture.now(),
      replayOf: original.id,
      durationMs: expect.any(Number),
    });
    expect(await fixture.listener.log()).toHaveLength(3);
    expect((await fixture.listener.webhook()).lastTriggerAt).toBe(lastTriggerAt);
  });

  test('uses the present URL and secret of the webhook', async () => {
    await using fixture = await startFixture();
    await using elsewhere = await startReceiver();
    await fixture.create('alice/letters');
    const webhook = { url: elsewhere.url, watched: [ALICE], domains: ['discussion' as const], secret: 'new' };
    await updateWebhook({ ...fixture.one, webhook });
    expect((await replayDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id })).status).toBe(200);
    expect(fixture.receiver.received).toHaveLength(1);
    expect(elsewhere.received[0]?.headers['x-webhook-secret']).toBe('new');
    expect(elsewhere.received[0]?.text).toBe(fixture.receiver.received[0]?.text);
  });

  test('works on a disabled webhook, and leaves it disabled', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    await disableWebhook(fixture.one);
    expect((await replayDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id })).status).toBe(200);
    expect(fixture.receiver.received).toHaveLength(2);
    expect((await fixture.listener.webhook()).disabled).toBe(true);
  });

  test.each([204, 302, 404, 410, 500])('returns the status of its receiver, %i, and is not retried', async (status) => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    fixture.receiver.answer(status, { location: 'http://127.0.0.1:9/' }, '');
    const logId = (await fixture.listener.newest()).id;
    expect(await replayDelivery({ ...fixture.one, logId })).toEqual({ status, id: ID });
    expect(await fixture.listener.newest()).toMatchObject({
      replayOf: logId,
      status: status < 300 ? 'delivered' : 'failed',
      responseStatus: status,
      attempts: 1,
    });
    fixture.hub.clock.advance(HOUR);
    await fixture.hub.drain();
    expect(fixture.receiver.received).toHaveLength(2);
    expect((await fixture.listener.webhook()).disabled).toBe(false);
  });

  test('returns status 0 and the reason if there was no response', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    const logId = (await fixture.listener.newest()).id;
    await fixture.receiver[Symbol.asyncDispose]();
    expect(await replayDelivery({ ...fixture.one, logId })).toEqual({ status: 0, error: 'Connection refused', id: ID });
    expect(await fixture.listener.newest()).toMatchObject({
      status: 'failed',
      error: 'Connection refused',
      replayOf: logId,
    });
  });

  test('may be of a replay, and of a sample', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/letters');
    const replay = await replayDelivery({ ...fixture.one, logId: (await fixture.listener.newest()).id });
    const again = await replayDelivery({ ...fixture.one, logId: replay.id! });
    expect(await fixture.listener.newest()).toMatchObject({ id: again.id, replayOf: replay.id });
    const sample = await testWebhook(fixture.one);
    expect((await replayDelivery({ ...fixture.one, logId: sample.id })).status).toBe(200);
    const [last, before] = fixture.receiver.received.slice(-2);
    expect(last?.text).toBe(before?.text);
  });

  test('of a retrying delivery leaves that one retrying', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(500);
    await fixture.create('alice/letters');
    const waiting = await fixture.listener.newest();
    fixture.receiver.answer(200);
    expect((await replayDelivery({ ...fixture.one, logId: waiting.id })).status).toBe(200);
    expect(await fixture.listener.log({ status: 'retrying' })).toEqual([waiting]);
  });
});

describe('a sample', () => {
  test('is logged like any delivery, but does not count as a trigger and is not retried', async () => {
    await using fixture = await startFixture();
    fixture.receiver.answer(503);
    const { id, status } = await testWebhook(fixture.one);
    expect(status).toBe(503);
    const [entry] = await fixture.listener.log();
    expect(entry).toMatchObject({ id, status: 'failed', responseStatus: 503, attempts: 1 });
    expect(entry).not.toHaveProperty('replayOf');
    expect(await fixture.listener.webhook()).not.toHaveProperty('lastTriggerAt');
    fixture.hub.clock.advance(HOUR);
    await fixture.hub.drain();
    expect(fixture.receiver.received).toHaveLength(1);
  });

  test('returns status 0 and the reason if there was no response', async () => {
    await using fixture = await startFixture();
    await fixture.receiver[Symbol.asyncDispose]();
    expect(await testWebhook(fixture.one)).toEqual({ status: 0, error: 'Connection refused', id: ID });
  });
});

describe('an entry that the owner of a webhook can no longer read', () => {
  const setMember = (hub: TestHub, change: object) =>
    hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', ...change }] }] });

  /** Creates a webhook of bob that got events of a private and of a public repository of acme. */
  async function bobHasHeard(fixture: Awaited<ReturnType<typeof startFixture>>): Promise<Listener> {
    const listener = await listen(fixture.hub, fixture.bob, [{ type: 'org', name: 'acme' }]);
    await fixture.create('acme/secret', true);
    await fixture.create('acme/open');
    expect(names(await listener.log())).toEqual(['acme/open', 'acme/secret']);
    return listener;
  }

  test.each([
    ['he was removed', { state: 'absent' }],
    ['he no longer has access', { role: 'no_access' }],
  ])('is neither listed nor shown nor replayed once %s, and comes back with his access', async (_what, change) => {
    await using fixture = await startFixture();
    await using listener = await bobHasHeard(fixture);
    const bobs = { ...fixture.bob, webhookId: listener.webhookId };
    const [open, secret] = await listener.log();
    await setMember(fixture.hub, change);
    expect(await listener.log()).toEqual([open]);
    expect(await listener.log({ repo: 'acme/secret' })).toEqual([]);
    expect(await refusal(getDelivery({ ...bobs, logId: secret!.id }))).toMatchObject({ status: 404 });
    expect(await refusal(replayDelivery({ ...bobs, logId: secret!.id }))).toMatchObject({ status: 404 });
    expect(listener.receiver.received).toHaveLength(2);
    expect((await replayDelivery({ ...bobs, logId: open!.id })).status).toBe(200);
    await setMember(fixture.hub, { role: 'read' });
    expect(names(await listener.log())).toEqual(['acme/open', 'acme/open', 'acme/secret']);
    expect((await replayDelivery({ ...bobs, logId: secret!.id })).status).toBe(200);
  });

  test('depends on the present repository: made private, moved, made public', async () => {
    await using fixture = await startFixture();
    await using listener = await bobHasHeard(fixture);
    const settings = (repo: string, isPrivate: boolean) =>
      updateRepoSettings({ ...fixture.alice, type: 'model', repo, settings: { private: isPrivate } });
    await moveRepo({ ...fixture.alice, from: 'acme/secret', to: 'alice/secret' });
    await moveRepo({ ...fixture.alice, from: 'acme/open', to: 'alice/open' });
    await fixture.hub.drain();
    expect(names(await listener.log({ scope: 'repo' }))).toEqual(['alice/open', 'acme/open']);
    await settings('alice/open', true);
    await fixture.hub.drain();
    expect(await listener.log()).toEqual([]);
    await settings('alice/secret', false);
    expect(names(await listener.log())).toEqual(['acme/secret']);
  });

  test('stays out of sight after it was deleted, if it was private', async () => {
    await using fixture = await startFixture();
    await using listener = await bobHasHeard(fixture);
    for (const repo of ['acme/secret', 'acme/open']) await deleteRepo({ ...fixture.alice, repo });
    await fixture.hub.drain();
    expect(await listener.log()).toHaveLength(4);
    await setMember(fixture.hub, { state: 'absent' });
    expect(names(await listener.log())).toEqual(['acme/open', 'acme/open']);
  });

  test('leaves no gap in the pages', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.bob, [{ type: 'org', name: 'acme' }]);
    for (let made = 1; made <= 24; made += 1) await fixture.create(`acme/letters-${made}`, made % 2 === 0);
    await setMember(fixture.hub, { state: 'absent' });
    const logs = `/api/settings/webhooks/${listener.webhookId}/logs?limit=10`;
    const { body, link } = await exchange(fixture.bob, logs);
    expect((body as Delivery[]).length).toBe(10);
    const { next } = parseLinks(link);
    const rest = await exchange(fixture.bob, next!.slice(fixture.hub.url.length));
    expect(names(rest.body as Delivery[])).toEqual(['acme/letters-3', 'acme/letters-1']);
    expect(rest.link).toBeNull();
  });
});

test('two webhooks have separate logs', async () => {
  await using fixture = await startFixture();
  const { webhook } = await createWebhook({
    ...fixture.alice,
    webhook: { url: 'https://example.com/hook', watched: [{ type: 'model', name: 'alice/other' }], domains: ['repo'] },
  });
  await fixture.create('alice/letters');
  expect(await collect(listDeliveries({ ...fixture.alice, webhookId: webhook.id }))).toEqual([]);
  expect(await fixture.listener.log()).toHaveLength(1);
});
