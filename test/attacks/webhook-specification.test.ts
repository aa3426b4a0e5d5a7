import { createBranch, createRepo } from '@moonbase/client/repositories';
import { replayDelivery, testWebhook } from '@moonbase/client/webhooks';
import { WebhookInput } from '@moonbase/contract/webhooks/webhooks';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { beforeEach, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { DAY, SECOND } from '../../packages/server/test/clock.ts';
import { type Connection, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { startReceiver } from '../../packages/server/test/receiver.ts';
import { listen } from '../../packages/server/test/webhooks-listen.ts';

const ajv = new Ajv();
formats.default(ajv);
const isUri = ajv.compile({ type: 'string', format: 'uri' });

const ALICE = { type: 'user', name: 'alice' } as const;

const LONG = `https://example.com/${'x'.repeat(9000)}`;

let hub: TestHub;
let alice: Connection;

beforeEach(async () => {
  hub = await startHub();
  await hub.people('alice');
  alice = hub.as('alice');
  return () => hub[Symbol.asyncDispose]();
});

interface Shown {
  readonly webhook: { readonly id: string; readonly url: string };
}

const create = (url: string) => ask(alice, 'POST /api/settings/webhooks', { url, watched: [ALICE], domains: ['repo'] });

/** Returns the URL of each webhook as E7 and E9 show it. */
async function shownUrls(): Promise<string[]> {
  const list = (await (await ask(alice, 'GET /api/settings/webhooks')).json()) as Shown['webhook'][];
  for (const { id, url } of list) {
    const one = (await (await ask(alice, `GET /api/settings/webhooks/${id}`)).json()) as Shown;
    expect(one.webhook.url).toBe(url);
  }
  return list.map(({ url }) => url);
}

test.each([
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://bücher.example/ä?ö#ü', 'https://xn--bcher-kva.example/%C3%A4?%C3%B6#%C3%BC'],
  ['https://example.com/|?a=[1]', 'https://example.com/%7C?a=%5B1%5D'],
  ['https://example.com/100%', 'https://example.com/100%25'],
])('a URL that is not a URI, %j, is stored in its normal form', async (url, normal) => {
  const created = (await (await create(url)).json()) as Shown;
  expect(created.webhook.url).toBe(normal);
  const { id } = created.webhook;
  const update = { url: 'https://example.com/other', watched: [ALICE], domains: ['repo'] };
  await ask(alice, `POST /api/settings/webhooks/${id}`, update);
  const updated = await ask(alice, `POST /api/settings/webhooks/${id}`, { ...update, url });
  expect(((await updated.json()) as Shown).webhook.url).toBe(normal);
  expect(await shownUrls()).toEqual([normal]);
  expect(isUri(normal)).toBe(true);
});

test.each([
  'http:///x',
  String.raw`https:\\example.com\x`,
  'https:example.com',
  'https://example.com/\ud800',
  'https://example.com/\u0007',
  'https://alice:secret@example.com/',
  'https://example.com:65536/',
  'https:///',
  LONG,
])('a URL that differs from the one that would be requested is refused: %.60s', async (url) => {
  const answer = await create(url);
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('body.url');
  expect(await shownUrls()).toEqual([]);
});

test('a URL with non-ASCII letters is accepted repeatedly', () => {
  const body = { url: 'https://bücher.example/', watched: [ALICE], domains: ['repo'] };
  const taken = new Set(Array.from({ length: 50_000 }, () => WebhookInput.safeParse(body).success));
  expect([...taken]).toEqual([true]);
});

test('a URL from before URLs had to be URIs is shown and requested in its normal form', async () => {
  await using receiver = await startReceiver();
  await create(receiver.url);
  const stored = `${receiver.url}/a b|c?d={e}`;
  await hub.database.transaction((tx) => tx.updateTable('webhooks').set({ url: stored }).execute());
  const [url = ''] = await shownUrls();
  expect(url).toBe(`${receiver.url}/a%20b%7Cc?d=%7Be%7D`);
  expect(isUri(url)).toBe(true);
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/a%20b%7Cc?d=%7Be%7D']);
});

test('watched names must be valid names, in streams as well', async () => {
  const watched = [ALICE, { type: 'user', name: 'alice/letters' }];
  for (const [path, more] of [
    ['/api/settings/webhooks', { url: 'https://example.com/', domains: ['repo'] }],
    ['/api/settings/webhook-streams', {}],
  ] as const) {
    const answer = await ask(alice, `POST ${path}`, { ...more, watched });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('body.watched.1.name');
  }
});

test('the last trigger time is that of the newest trigger, however close together they are', async () => {
  await using fixture = await listen(hub, alice, [ALICE]);
  const at = async () => (await fixture.webhook()).lastTriggerAt;
  await createRepo({ ...alice, repo: 'alice/letters' });
  const branch = (name: string) => createBranch({ ...alice, type: 'model', repo: 'alice/letters', branch: name });
  for (const name of ['a', 'b', 'c']) {
    hub.clock.advance(1);
    await branch(name);
    await hub.drain();
    expect(await at()).toBe(new Date(hub.clock.now()).toISOString());
  }
  // One transaction inserts many events, and the newest is not the last.
  for (const name of ['d', 'e', 'f']) {
    hub.clock.advance(10);
    await branch(name);
  }
  const newest = new Date(hub.clock.now()).toISOString();
  await hub.database.transaction((tx) =>
    tx.updateTable('events').set({ due_at: 0 }).where('created_at', '=', hub.clock.now()).execute(),
  );
  await hub.drain();
  expect(await at()).toBe(newest);
  hub.clock.advance(SECOND);
  const one = { ...alice, webhookId: fixture.webhookId };
  await testWebhook(one);
  await replayDelivery({ ...one, logId: (await fixture.newest()).id });
  expect(await at()).toBe(newest);
  hub.clock.advance(40 * DAY);
  await hub.drain();
  expect(await fixture.log()).toEqual([]);
  expect(await at()).toBe(newest);
});
