import { deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { createDiscussion } from '@moonbase/client/discussions';
import { createRepo, createTag, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  acknowledgeDelivery,
  closeWebhookStream,
  listWebhookStreams,
  openWebhookStream,
  streamDeliveries,
  testWebhookStream,
  type WebhookStreamInput,
} from '@moonbase/client/webhook-streams';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sign } from '../src/webhooks/delivery/signature.ts';
import { MINUTE, SECOND } from './clock.ts';
import { type Connection, collect, startHub, type TestHub } from './harness.ts';
import { refusal } from './webhooks-listen.ts';

let hub: TestHub;
let connections: AbortController[];
beforeEach(async () => {
  hub = await startHub();
  connections = [];
  await hub.people('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  await hub.drain();
});
afterEach(async () => {
  for (const each of connections) each.abort();
  await hub[Symbol.asyncDispose]();
});

const open = async (as: Connection, stream: WebhookStreamInput = {}) =>
  (await openWebhookStream({ ...as, stream })).stream;

interface Came {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly payload: WebhookPayload;
  /** The event, as in `repo/create alice/letters`. */
  readonly news: string;
}

/** Reads a stream; `next` returns its next delivery, or its end. */
function connect(as: Connection, streamId: string) {
  const closing = new AbortController();
  connections.push(closing);
  const events = streamDeliveries({ ...as, streamId, signal: closing.signal });
  const next = async (): Promise<Came | 'end'> => {
    for (;;) {
      const { done, value } = await events.next();
      if (done) return 'end';
      if (value.event === 'alive') continue;
      const payload = JSON.parse(value.data.body) as WebhookPayload;
      const { event, repo } = payload;
      return { ...value.data, payload, news: `${event.scope}/${event.action} ${repo.name}` };
    }
  };
  return {
    next,
    news: async () => {
      const came = await next();
      return came === 'end' ? came : came.news;
    },
    /** Returns the next delivery and acknowledges it with a status. */
    async take(status = 200) {
      const came = await next();
      if (came === 'end') throw new Error('The stream has ended');
      await acknowledgeDelivery({ ...as, streamId, deliveryId: came.id, status, durationMs: 5 });
      return came;
    },
    /** Resolves once the stream is connected. */
    ready: async () => expect((await events.next()).value).toEqual({ event: 'alive', data: {} }),
    close: () => closing.abort(),
  };
}

const tag = (name: string, as = hub.as('alice')) =>
  createTag({ ...as, type: 'model', repo: 'alice/letters', revision: 'main', tag: name });
const tagOf = (came: Came | 'end') => (came === 'end' ? came : came.payload.updatedRefs?.[0]?.ref.split('/').at(-1));

const rows = async (table: 'webhooks' | 'deliveries' | 'webhook_watched' | 'delivery_attempts') =>
  (await hub.database.read.selectFrom(table).selectAll().execute()).length;

describe('a stream', () => {
  test('carries deliveries with the body, headers and signature that a webhook would get', async () => {
    const stream = await open(hub.as('alice'), { secret: 'hush' });
    expect(stream).toMatchObject({ watched: [{ type: 'user', name: 'alice' }], hasSecret: true });
    expect(stream.domains).toEqual(['repo', 'discussion']);
    const reader = connect(hub.as('alice'), stream.id);
    await reader.ready();
    await tag('v1');
    await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'alice/letters', title: 'Why?', description: '.' });
    await hub.drain();
    const { id, headers, body, payload, news } = await reader.take();
    expect(news).toBe('repo.content/update alice/letters');
    expect(payload.webhook).toEqual({ id: stream.id, version: 3 });
    const { 'webhook-timestamp': at, ...others } = headers;
    expect(others).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Moonbase-Webhooks/1',
      'webhook-id': id,
      'x-webhook-secret': 'hush',
      'webhook-signature': sign('hush', `${id}.${at}.${body}`),
    });
    expect(await reader.news()).toBe('discussion/create alice/letters');
  });

  test('watches the given items in the given domains', async () => {
    const stream = await open(hub.as('alice'), {
      watched: [{ type: 'model', name: 'alice/songs' }],
      domains: ['repo'],
    });
    const reader = connect(hub.as('alice'), stream.id);
    await tag('v1');
    await createRepo({ ...hub.as('alice'), repo: 'alice/songs' });
    await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'alice/songs', title: 'Why?', description: '.' });
    await deleteRepo({ ...hub.as('alice'), repo: 'alice/songs' });
    await hub.drain();
    expect([await reader.news(), await reader.news()]).toEqual(['repo/create alice/songs', 'repo/delete alice/songs']);
  });

  test('sends unacknowledged deliveries again on the next connection, in order, and nothing else', async () => {
    const stream = await open(hub.as('alice'));
    for (const name of ['a', 'b', 'c', 'd']) await tag(name);
    await hub.drain();
    const first = connect(hub.as('alice'), stream.id);
    expect(tagOf(await first.take())).toBe('a');
    const seen = [await first.next(), await first.next()];
    expect(seen.map(tagOf)).toEqual(['b', 'c']);
    first.close();
    await tag('e');
    await hub.drain();
    const second = connect(hub.as('alice'), stream.id);
    const again = [await second.take(), await second.take(), await second.take(), await second.take()];
    expect(again.map(tagOf)).toEqual(['b', 'c', 'd', 'e']);
    expect(again.slice(0, 2).map(({ id }) => id)).toEqual(seen.map((came) => came !== 'end' && came.id));
  });

  test('has at most 32 unacknowledged deliveries', async () => {
    const stream = await open(hub.as('alice'));
    const names = Array.from({ length: 40 }, (_, at) => `t${at}`);
    for (const name of names) await tag(name);
    await hub.drain();
    const reader = connect(hub.as('alice'), stream.id);
    const came: Came[] = [];
    for (let at = 0; at < 32; at++) came.push((await reader.next()) as Came);
    const waits = reader.next();
    const early = await Promise.race([waits.then(() => 'sent'), tag('late').then(() => 'waits')]);
    expect(early).toBe('waits');
    await acknowledgeDelivery({
      ...{ ...hub.as('alice'), streamId: stream.id, deliveryId: came[0]!.id },
      ...{ status: 0, error: 'ECONNREFUSED', durationMs: 1 },
    });
    expect([...came.map(tagOf), tagOf(await waits)]).toEqual(names.slice(0, 33));
  });

  test('is not retried after a failure, and never suspended', async () => {
    const stream = await open(hub.as('alice'));
    const reader = connect(hub.as('alice'), stream.id);
    for (let at = 0; at < 12; at++) {
      await tag(`t${at}`);
      await hub.drain();
      expect(tagOf(await reader.take(at % 2 ? 500 : 410))).toBe(`t${at}`);
    }
    hub.clock.advance(10 * SECOND);
    await tag('after');
    await hub.drain();
    expect(tagOf(await reader.take())).toBe('after');
    const log = await hub.database.read
      .selectFrom('deliveries')
      .select(['status', 'attempts', 'response_status', 'duration_ms'])
      .where('webhook_id', '=', stream.id)
      .orderBy('id')
      .execute();
    expect(log).toHaveLength(13);
    expect(log[1]).toEqual({ status: 'failed', attempts: 1, response_status: 500, duration_ms: 5 });
    expect(log.at(-1)).toEqual({ status: 'delivered', attempts: 1, response_status: 200, duration_ms: 5 });
  });

  test('has one connection: a new one ends the previous one', async () => {
    const stream = await open(hub.as('alice'));
    const first = connect(hub.as('alice'), stream.id);
    await first.ready();
    const second = connect(hub.as('alice'), stream.id);
    await second.ready();
    expect(await first.next()).toBe('end');
    await tag('v1');
    await hub.drain();
    expect(tagOf(await second.next())).toBe('v1');
  });

  test('is not listed among webhooks, and endpoints for webhooks do not find it', async () => {
    const alice = hub.as('alice');
    const { id: webhookId } = await open(alice);
    expect(await listWebhooks(alice)).toEqual([]);
    const one = { ...alice, webhookId };
    const webhook = {
      url: 'https://example.com',
      watched: [{ type: 'user', name: 'alice' }],
      domains: ['repo'],
    } as const;
    for (const attempt of [
      () => getWebhook(one),
      () => updateWebhook({ ...one, webhook: { ...webhook, watched: [...webhook.watched], domains: ['repo'] } }),
      () => enableWebhook(one),
      () => disableWebhook(one),
      () => rotateWebhookSecret({ ...one, secret: 'x' }),
      () => deleteWebhook(one),
      () => testWebhook(one),
      () => listDeliveries(one).next(),
      () => replayDelivery({ ...one, logId: 'f'.repeat(24) }),
    ])
      expect(await refusal(attempt())).toMatchObject({ status: 404 });
    expect((await listWebhookStreams(alice)).map(({ id }) => id)).toEqual([webhookId]);
  });
});

describe('the end of a stream', () => {
  test('comes at once when the stream is closed: nothing more is sent, and nothing is left', async () => {
    const alice = hub.as('alice');
    const stream = await open(alice);
    const reader = connect(alice, stream.id);
    await tag('a');
    await tag('b');
    await hub.drain();
    expect(tagOf(await reader.take())).toBe('a');
    expect(tagOf(await reader.next())).toBe('b');
    await closeWebhookStream({ ...alice, streamId: stream.id });
    await tag('c');
    await hub.drain();
    expect(await reader.next()).toBe('end');
    for (const table of ['webhooks', 'deliveries', 'webhook_watched', 'delivery_attempts'] as const)
      expect([table, await rows(table)]).toEqual([table, 0]);
    for (const attempt of [
      () => connect(alice, stream.id).next(),
      () => closeWebhookStream({ ...alice, streamId: stream.id }),
      () => testWebhookStream({ ...alice, streamId: stream.id }),
    ])
      expect(await refusal(attempt())).toMatchObject({ status: 404 });
  });

  test('comes a minute after its last connection, even if the hub was killed', async () => {
    const alice = hub.as('alice');
    const stream = await open(alice);
    const reader = connect(alice, stream.id);
    await reader.ready();
    reader.close();
    await tag('a');
    hub.clock.advance(MINUTE - 1);
    await hub.drain();
    expect((await listWebhookStreams(alice)).length).toBe(1);
    const back = connect(alice, stream.id);
    expect(tagOf(await back.next())).toBe('a');
    back.close();
    hub.clock.advance(MINUTE - 1);
    await hub.drain();
    expect(await rows('webhooks')).toBe(1);
    hub.clock.advance(1);
    expect(await listWebhookStreams(alice)).toEqual([]);
    expect(await refusal(connect(alice, stream.id).next())).toMatchObject({ status: 404 });
    await hub.drain();
    for (const table of ['webhooks', 'deliveries', 'webhook_watched'] as const)
      expect([table, await rows(table)]).toEqual([table, 0]);
  });

  test('of a connection comes when the hub stops, which waits for no client', async () => {
    const stream = await open(hub.as('alice'));
    const reader = connect(hub.as('alice'), stream.id);
    await reader.ready();
    const stopped = hub[Symbol.asyncDispose]();
    expect(await reader.next()).toBe('end');
    await stopped;
    hub = await startHub();
  });

  test('of a connection comes when the access token is revoked', async () => {
    const alice = hub.as('alice');
    const stream = await open(alice);
    const reader = connect(alice, stream.id);
    await reader.ready();
    const [token] = await collect(listAccessTokens(alice));
    await deleteAccessToken({ ...alice, tokenId: token!.id });
    await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'alice/letters', title: 'Why?', description: '.' });
    await hub.drain();
    expect(await reader.next()).toBe('end');
  });
});

describe('a user who may not', () => {
  test('read a private repository gets no deliveries about it, whatever the stream watches', async () => {
    await createRepo({ ...hub.as('alice'), repo: 'alice/diary', private: true });
    const stream = await open(hub.as('bob'), {
      watched: [
        { type: 'model', name: 'alice/diary' },
        { type: 'model', name: 'alice/nothing' },
        { type: 'model', name: 'alice/letters' },
      ],
    });
    // Hidden names look like missing ones.
    expect(stream.watched.slice(0, 2)).toEqual([
      { type: 'model', name: 'alice/diary' },
      { type: 'model', name: 'alice/nothing' },
    ]);
    const reader = connect(hub.as('bob'), stream.id);
    await createTag({ ...hub.as('alice'), type: 'model', repo: 'alice/diary', revision: 'main', tag: 'secret' });
    await tag('open');
    await hub.drain();
    expect(tagOf(await reader.next())).toBe('open');
  });

  test('read it any longer does not get pending deliveries', async () => {
    const stream = await open(hub.as('bob'), { watched: [{ type: 'user', name: 'alice' }] });
    await createRepo({ ...hub.as('alice'), repo: 'alice/songs' });
    await tag('a');
    await hub.drain();
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/songs', settings: { private: true } });
    await hub.drain();
    const reader = connect(hub.as('bob'), stream.id);
    expect((await reader.take()).news).toBe('repo.content/update alice/letters');
    await tag('b');
    await hub.drain();
    expect(tagOf(await reader.next())).toBe('b');
    const [first] = await hub.database.read.selectFrom('deliveries').selectAll().orderBy('id').execute();
    expect(first).toMatchObject({ status: 'failed', attempts: 0, error: expect.stringContaining('no longer read') });
  });

  test('use somebody else’s stream gets a 404', async () => {
    const stream = await open(hub.as('alice'));
    await tag('a');
    await hub.drain();
    const reader = connect(hub.as('alice'), stream.id);
    const came = (await reader.next()) as Came;
    const bob = { ...hub.as('bob'), streamId: stream.id };
    const missing = { ...hub.as('bob'), streamId: 'f'.repeat(24) };
    const answers = async (of: typeof bob) =>
      Promise.all(
        [
          connect(of, of.streamId).next(),
          acknowledgeDelivery({ ...of, deliveryId: came.id, status: 200, durationMs: 0 }),
          testWebhookStream(of),
          closeWebhookStream(of),
        ].map(async (attempt) => {
          const { status, message } = await refusal(attempt);
          return { status, message };
        }),
      );
    const told = await answers(bob);
    expect(told.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(told).toEqual(await answers(missing));
    expect(await listWebhookStreams(hub.as('bob'))).toEqual([]);
    // A delivery can be acknowledged only on its own stream.
    const other = await open(hub.as('alice'));
    const elsewhere = { ...hub.as('alice'), streamId: other.id, deliveryId: came.id, status: 200, durationMs: 0 };
    expect(await refusal(acknowledgeDelivery(elsewhere))).toMatchObject({ status: 404 });
    reader.close();
    expect(tagOf(await connect(hub.as('alice'), stream.id).next())).toBe('a');
  });

  test('open more than ten streams; closing one makes room', async () => {
    const alice = hub.as('alice');
    const streams = [];
    for (let at = 0; at < 10; at++) streams.push(await open(alice));
    expect(await refusal(open(alice))).toMatchObject({ status: 429 });
    expect(await open(hub.as('bob'))).toHaveProperty('id');
    await closeWebhookStream({ ...alice, streamId: streams[3]!.id });
    await open(alice);
    expect(await refusal(open(alice))).toMatchObject({ status: 429 });
    hub.clock.advance(MINUTE);
    expect(await open(alice)).toHaveProperty('id');
  });
});

describe('bad input', () => {
  test.each([
    [{ watched: [] }],
    [{ watched: [{ type: 'model', name: 'x'.repeat(201) }] }],
    [{ watched: [{ type: 'tree', name: 'alice/oak' }] }],
    [{ domains: [] }],
    [{ secret: 'ü' }],
  ])('%j opens no stream', async (stream) => {
    expect(await refusal(open(hub.as('alice'), stream as never))).toMatchObject({ status: 400 });
    expect(await rows('webhooks')).toBe(0);
  });

  test('acknowledges nothing; the first valid acknowledgement counts', async () => {
    const alice = hub.as('alice');
    const stream = await open(alice);
    await tag('a');
    await hub.drain();
    const came = (await connect(alice, stream.id).next()) as Came;
    const one = { ...alice, streamId: stream.id, deliveryId: came.id };
    for (const bad of [{ status: 600 }, { status: -1 }, { status: 0, error: 'a\u0000b' }, { durationMs: -1 }])
      expect(await refusal(acknowledgeDelivery({ ...one, status: 200, durationMs: 1, ...bad }))).toMatchObject({
        status: 400,
      });
    await acknowledgeDelivery({ ...one, status: 204, durationMs: 7 });
    await acknowledgeDelivery({ ...one, status: 500, durationMs: 8 });
    const [row] = await hub.database.read.selectFrom('deliveries').selectAll().execute();
    expect(row).toMatchObject({ status: 'delivered', response_status: 204, duration_ms: 7 });
  });
});

test('a sample of any event is sent to a stream in its turn, and is marked', async () => {
  const alice = hub.as('alice');
  const stream = await open(alice);
  await tag('a');
  await hub.drain();
  const repo = { type: 'dataset', name: 'acme/corpus' } as const;
  const { id } = await testWebhookStream({
    ...alice,
    streamId: stream.id,
    scope: 'discussion',
    action: 'create',
    repo,
  });
  const reader = connect(alice, stream.id);
  const real = await reader.take();
  expect(real.headers).not.toHaveProperty('x-webhook-test');
  const sample = await reader.take();
  expect(sample).toMatchObject({ id, news: 'discussion/create acme/corpus', headers: { 'x-webhook-test': 'true' } });
  expect(sample.payload.repo.type).toBe('dataset');
  const unknown = testWebhookStream({ ...alice, streamId: stream.id, scope: 'repo.config', action: 'create' });
  expect(await refusal(unknown)).toMatchObject({ status: 400 });
});

test('a webhook beside a stream is sent its own delivery', async () => {
  const alice = hub.as('alice');
  const url = 'http://127.0.0.1:9/';
  const { webhook } = await createWebhook({
    ...alice,
    webhook: { url, watched: [{ type: 'user', name: 'alice' }], domains: ['repo'] },
  });
  const stream = await open(alice);
  await tag('a');
  await hub.drain();
  expect(tagOf(await connect(alice, stream.id).next())).toBe('a');
  const { value } = await listDeliveries({ ...alice, webhookId: webhook.id }).next();
  expect(value).toMatchObject({ status: 'retrying', attempts: 1 });
});
