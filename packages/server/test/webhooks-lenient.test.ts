import { createRepo } from '@moonbase/client/repositories';
import { deleteWebhook, listWebhooks, type Webhook } from '@moonbase/client/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { type Connection, startHub, type TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const HOOK = 'https://e.x/h';
const FULL = { watched: [ALICE], domains: ['repo'], url: HOOK };

let lenient: TestHub;
let strict: TestHub;
beforeAll(async () => {
  lenient = await startHub({ MOONBASE_LENIENT_WEBHOOKS: 'true' });
  strict = await startHub();
  for (const hub of [lenient, strict]) await hub.people('alice');
});
afterAll(() => Promise.all([lenient, strict].map((hub) => hub[Symbol.asyncDispose]())));
afterEach(async () => {
  for (const hub of [lenient, strict])
    for (const { id } of await listWebhooks(hub.as('alice')))
      await deleteWebhook({ ...hub.as('alice'), webhookId: id });
});

interface Answer {
  readonly status: number;
  readonly webhook: Webhook;
  readonly error: string;
}

async function send(caller: Connection, path: string, body: unknown): Promise<Answer> {
  const answer = await ask(caller, `POST /api/settings/webhooks${path}`, body);
  return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) };
}
const create = (hub: TestHub, body: unknown) => send(hub.as('alice'), '', body);

/** Creates a webhook on discussions with a secret, and updates it as `hf webhooks update` would. */
async function update(hub: TestHub, change: unknown) {
  const { webhook: before } = await create(hub, { ...FULL, domains: ['discussion'], secret: 'hush' });
  const answer = await send(hub.as('alice'), `/${before.id}`, change);
  const [after] = await listWebhooks(hub.as('alice'));
  return { ...answer, before, after };
}

describe('a creation as the hf command line sends it', () => {
  test.each([
    ['without domains is about both', { watched: [ALICE], url: HOOK }, ['repo', 'discussion']],
    ['with discussions is about discussion', { ...FULL, domains: ['discussions'] }, ['discussion']],
    ['with repo and discussions is about both', { ...FULL, domains: ['repo', 'discussions'] }, ['repo', 'discussion']],
    ['with discussions twice is about it once', { ...FULL, domains: ['discussions', 'discussion'] }, ['discussion']],
  ])('%s; a strict hub refuses it, naming the domains', async (_what, body, domains) => {
    const taken = await create(lenient, body);
    expect(taken).toMatchObject({ status: 200, webhook: { domains, url: HOOK } });
    expect(await listWebhooks(lenient.as('alice'))).toEqual([taken.webhook]);
    expect(await create(strict, body)).toMatchObject({ status: 400, error: expect.stringContaining('body.domains') });
    expect(await listWebhooks(strict.as('alice'))).toEqual([]);
  });

  test('is accepted by both kinds of hub if it is complete', async () => {
    for (const hub of [lenient, strict]) expect(await create(hub, FULL)).toMatchObject({ status: 200 });
  });

  test.each([
    ['without watched items', { domains: ['repo'], url: HOOK }, 'body.watched'],
    ['with no watched items', { ...FULL, watched: [] }, 'body.watched'],
    ['with an empty list of domains', { ...FULL, domains: [] }, 'body.domains'],
    ['with null as domains', { ...FULL, domains: null }, 'body.domains'],
    ['with an unknown domain', { ...FULL, domains: ['posts'] }, 'body.domains.0'],
    ['with a plural of repo', { ...FULL, domains: ['repos'] }, 'body.domains.0'],
    ['without a target', { watched: [ALICE], domains: ['repo'] }, 'body'],
    ['with two targets', { ...FULL, jobSourceId: 'j1' }, 'body'],
    ['with a URL of another scheme', { ...FULL, url: 'ftp://e.x/h' }, 'body.url'],
    ['with a secret beyond ASCII', { ...FULL, secret: 'é' }, 'body.secret'],
  ])('%s is refused by both kinds of hub', async (_what, body, path) => {
    for (const hub of [lenient, strict]) {
      expect(await create(hub, body)).toMatchObject({ status: 400, error: expect.stringContaining(`${path}: `) });
      expect(await listWebhooks(hub.as('alice'))).toEqual([]);
    }
  });

  test('gets the events of its domains', async () => {
    const alice = lenient.as('alice');
    await using receiver = await startReceiver();
    await create(lenient, { watched: [ALICE], url: receiver.url });
    await create(lenient, { watched: [ALICE], url: `${receiver.url}/discussions`, domains: ['discussions'] });
    await createRepo({ ...alice, repo: 'alice/letters' });
    await lenient.drain();
    await ask(alice, 'POST /api/models/alice/letters/discussions', { title: 'A question', description: 'Why?' });
    await lenient.drain();
    const heard = receiver.received.map(({ path, payload }) => `${path} ${payload.event.scope}`);
    expect(heard.sort()).toEqual(['/hook discussion', '/hook repo', '/hook/discussions discussion']);
  });
});

describe('an update as the hf command line sends it', () => {
  test.each([
    ['a new URL', { watched: [], url: 'https://e.x/other' }, { url: 'https://e.x/other' }],
    ['a new secret', { watched: [], secret: 'other' }, {}],
    ['no secret', { watched: [], secret: '' }, { hasSecret: false }],
    ['other domains', { watched: [], domains: ['repo', 'discussions'] }, { domains: ['repo', 'discussion'] }],
    ['other watched items', { watched: [{ type: 'org', name: 'acme' }] }, { watched: [{ type: 'org', name: 'acme' }] }],
    ['nothing at all', { watched: [] }, {}],
  ])('changes only the given fields, %s; a strict hub refuses it', async (_what, body, change) => {
    const taken = await update(lenient, body);
    expect(taken.status).toBe(200);
    expect(taken.webhook).toEqual({ ...taken.before, ...change });
    expect(taken.after).toEqual(taken.webhook);
    const refused = await update(strict, body);
    expect(refused.status).toBe(400);
    expect(refused.after).toEqual(refused.before);
  });

  test.each([
    ['without watched items', { url: HOOK }, 'body.watched'],
    ['with an empty list of domains', { watched: [ALICE], domains: [] }, 'body.domains'],
    ['with two targets', { ...FULL, jobSourceId: 'j1' }, 'body'],
  ])('%s is refused by both kinds of hub', async (_what, body, path) => {
    for (const hub of [lenient, strict]) {
      const refused = await update(hub, body);
      expect(refused).toMatchObject({ status: 400, error: expect.stringContaining(`${path}: `) });
      expect(refused.after).toEqual(refused.before);
    }
  });
});
