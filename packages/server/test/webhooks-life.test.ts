import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runJob } from '@moonbase/client/jobs';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookInput,
} from '@moonbase/client/webhooks';
import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../src/platform/database/transaction.ts';
import { ask } from './ask.ts';
import { MINUTE, SECOND } from './clock.ts';
import { type Connection, collect, startHub, type TestHub } from './harness.ts';
import { createTestRunner } from './test-runner.ts';
import { listen, refusal } from './webhooks-listen.ts';

const TO_URL = {
  url: 'https://example.com/hook',
  watched: [{ type: 'user', name: 'nobody' }],
  domains: ['repo'],
} satisfies WebhookInput;
const { url: _url, ...NO_TARGET } = TO_URL;
const JOB = { flavor: 'cpu-basic', dockerImage: 'python:3.12' } as const;
const UNKNOWN = '0123456789abcdef01234567';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub({}, { runner: createTestRunner() });
});
afterAll(() => hub[Symbol.asyncDispose]());

let count = 0;
/** Creates a user without webhooks. */
async function newcomer(): Promise<Connection & { name: string }> {
  count += 1;
  const name = `person${count}`;
  await hub.people(name);
  return { ...hub.as(name), name };
}

async function create(owner: Connection, change: Partial<WebhookInput> = {}): Promise<Webhook> {
  return (await createWebhook({ ...owner, webhook: { ...TO_URL, ...change } })).webhook;
}
const createWithJob = async (owner: Connection, change: Partial<WebhookInput['job'] & object> = {}) =>
  (await createWebhook({ ...owner, webhook: { ...NO_TARGET, job: { ...JOB, ...change } } })).webhook;
const job = async (owner: Connection & { name: string }) =>
  (await runJob({ ...owner, namespace: owner.name, job: { ...JOB, command: ['true'] } })).id;
const update = async (owner: Connection, { id }: Webhook, webhook: WebhookInput) =>
  (await updateWebhook({ ...owner, webhookId: id, webhook })).webhook;
const reread = async (owner: Connection, { id }: Webhook) => (await getWebhook({ ...owner, webhookId: id })).webhook;

describe('a webhook', () => {
  test('has the same form in create, get, update, enable, disable and list, with exactly these fields', async () => {
    const alice = await newcomer();
    const { id } = await whoAmI(alice);
    const webhook = await create(alice, { watched: [{ type: 'user', name: alice.name }], secret: 'hush' });
    const expected = {
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: 'https://example.com/hook',
      disabled: false,
      watched: [{ type: 'user', name: alice.name, avatarUrl: `${hub.url}/avatars/${id}.svg` }],
      hasSecret: true,
      domains: ['repo'],
    };
    expect(webhook).toEqual(expected);
    const one = { ...alice, webhookId: webhook.id };
    expect(await getWebhook(one)).toEqual({ webhook });
    expect(await enableWebhook(one)).toEqual({ webhook });
    expect(await disableWebhook(one)).toEqual({ webhook: { ...webhook, disabled: true } });
    expect(await enableWebhook(one)).toEqual({ webhook });
    expect(await updateWebhook({ ...one, webhook: { ...TO_URL, watched: webhook.watched } })).toEqual({ webhook });
    expect(await listWebhooks(alice)).toEqual([webhook]);
  });

  test('with a job is answered with the fields of its job, names of secrets among them, and no others', async () => {
    const alice = await newcomer();
    const webhook = await createWithJob(alice, {
      command: ['python', 'go.py'],
      arguments: ['-v'],
      environment: { LEVEL: 'high' },
      secrets: { KEY: 'hush', OTHER: 'hush' },
      arch: 'arm64',
      timeoutSeconds: 60,
      attempts: 3,
      labels: { team: 'red' },
      volumes: [{ type: 'model', source: 'a/b', mountPath: '/m' }],
    });
    expect(webhook.job).toEqual({
      flavor: 'cpu-basic',
      dockerImage: 'python:3.12',
      command: ['python', 'go.py'],
      arguments: ['-v'],
      environment: { LEVEL: 'high' },
      secrets: ['KEY', 'OTHER'],
      timeoutSeconds: 60,
      labels: { team: 'red' },
    });
    expect(webhook).not.toHaveProperty('url');
  });

  test('is listed after earlier ones, and only to its owner', async () => {
    const [alice, bob] = [await newcomer(), await newcomer()];
    const first = await create(alice);
    const other = await create(bob);
    const second = await create(alice);
    expect(await listWebhooks(alice)).toEqual([first, second]);
    expect(await listWebhooks(bob)).toEqual([other]);
  });

  test('is deleted with its log, and the response is an empty object', async () => {
    const alice = await newcomer();
    const [webhook, kept] = [await create(alice), await create(alice)];
    const one = { ...alice, webhookId: webhook.id };
    expect(await deleteWebhook(one)).toEqual({});
    expect(await refusal(getWebhook(one))).toMatchObject({ status: 404 });
    expect(await refusal(deleteWebhook(one))).toMatchObject({ status: 404 });
    expect(await listWebhooks(alice)).toEqual([kept]);
  });

  test('does not come back after its owner was removed', async () => {
    const alice = await newcomer();
    await create(alice);
    await hub.apply({ users: [{ name: alice.name, state: 'absent' }] });
    await hub.people(alice.name);
    expect(await listWebhooks(alice)).toEqual([]);
  });

  test('watches each given name once, in the order given, existing accounts with their avatars', async () => {
    const alice = await newcomer();
    await hub.apply({ organizations: [{ name: `${alice.name}-org`, avatarUrl: 'https://example.com/org.png' }] });
    await createRepo({ ...alice, type: 'dataset', repo: 'letters' });
    const { watched } = await create(alice, {
      watched: [
        { type: 'dataset', name: `${alice.name}/letters` },
        { type: 'org', name: `${alice.name}-org` },
        { type: 'user', name: 'who-is-this' },
        { type: 'dataset', name: `${alice.name}/LETTERS` },
        { type: 'model', name: `${alice.name}/letters` },
        { type: 'user', name: `${alice.name}-org` },
      ],
    });
    expect(watched.map(({ type, name }) => `${type} ${name.toLowerCase()}`)).toEqual([
      `dataset ${alice.name}/letters`,
      `org ${alice.name}-org`,
      'user who-is-this',
      `model ${alice.name}/letters`,
      `user ${alice.name}-org`,
    ]);
    expect(watched.map(({ avatarUrl }) => avatarUrl)).toEqual([
      undefined,
      'https://example.com/org.png',
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('a webhook that does not exist', () => {
  const CALLS: Record<string, (one: Connection & { webhookId: string }) => Promise<unknown>> = {
    get: getWebhook,
    update: (one) => updateWebhook({ ...one, webhook: TO_URL }),
    delete: deleteWebhook,
    enable: enableWebhook,
    disable: disableWebhook,
    test: (one) => testWebhook(one),
    replay: (one) => replayDelivery({ ...one, logId: UNKNOWN }),
    'rotate the secret of': (one) => rotateWebhookSecret({ ...one, secret: 'new' }),
    'read the log of': (one) => collect(listDeliveries(one)),
    'read a log entry of': (one) => getDelivery({ ...one, logId: UNKNOWN }),
  };

  test.each(Object.entries(CALLS))('cannot be distinguished from somebody else’s: %s', async (_what, call) => {
    const [alice, bob] = [await newcomer(), await newcomer()];
    const bobs = await create(bob);
    const refusals = await Promise.all(
      [UNKNOWN, 'nonsense', '7', `${UNKNOWN}0`, 'x'.repeat(200), bobs.id].map((webhookId) =>
        refusal(call({ ...alice, webhookId })),
      ),
    );
    expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 404));
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    expect(await listWebhooks(bob)).toEqual([bobs]);
  });
});

describe('updating', () => {
  test('replaces the given fields: url, watched and domains', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    const changed = await update(alice, webhook, {
      url: 'http://example.org/other',
      watched: [
        { type: 'org', name: 'acme' },
        { type: 'space', name: 'acme/space' },
      ],
      domains: ['discussion', 'repo'],
    });
    expect(changed).toEqual({
      ...webhook,
      url: 'http://example.org/other',
      watched: [
        { type: 'org', name: 'acme' },
        { type: 'space', name: 'acme/space' },
      ],
      domains: ['discussion', 'repo'],
    });
    expect(await reread(alice, webhook)).toEqual(changed);
  });

  test('without a target keeps the present target of any kind', async () => {
    const alice = await newcomer();
    const toUrl = await create(alice);
    const toJob = await createWithJob(alice, { labels: { a: 'b' } });
    const { webhook: toSource } = await createWebhook({
      ...alice,
      webhook: { ...NO_TARGET, jobSourceId: await job(alice) },
    });
    for (const webhook of [toUrl, toJob, toSource]) expect(await update(alice, webhook, NO_TARGET)).toEqual(webhook);
  });

  test('with a target of another kind replaces the old one', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    const withJob = await update(alice, webhook, { ...NO_TARGET, job: { ...JOB, secrets: { KEY: 'hush' } } });
    expect(withJob).not.toHaveProperty('url');
    expect(withJob.job).toMatchObject({ flavor: 'cpu-basic', secrets: ['KEY'] });
    const jobSourceId = await job(alice);
    const withSource = await update(alice, webhook, { ...NO_TARGET, jobSourceId });
    expect(withSource).toMatchObject({ jobSourceId, job: { command: ['true'], timeoutSeconds: 1800 } });
    expect(withSource.job).not.toHaveProperty('secrets');
    expect(await update(alice, webhook, TO_URL)).toEqual(webhook);
  });

  test('a job in place of another target has no secrets at first', async () => {
    const alice = await newcomer();
    const webhook = await createWithJob(alice, { secrets: { KEY: 'hush' } });
    await update(alice, webhook, TO_URL);
    const { job } = await update(alice, webhook, { ...NO_TARGET, job: JOB });
    expect(job).not.toHaveProperty('secrets');
  });

  test('a job replaces its visible fields, but keeps secrets unless they are given', async () => {
    const alice = await newcomer();
    const webhook = await createWithJob(alice, { labels: { a: 'b' }, timeoutSeconds: 5, secrets: { KEY: 'hush' } });
    const kept = await update(alice, webhook, { ...NO_TARGET, job: { flavor: 'l4x1', spaceId: 'a/b' } });
    expect(kept.job).toEqual({
      flavor: 'l4x1',
      spaceId: 'a/b',
      environment: {},
      timeoutSeconds: null,
      secrets: ['KEY'],
    });
    const replaced = await update(alice, webhook, { ...NO_TARGET, job: { ...JOB, secrets: { OTHER: 'hush' } } });
    expect(replaced.job?.secrets).toEqual(['OTHER']);
    const removed = await update(alice, webhook, { ...NO_TARGET, job: { ...JOB, secrets: {} } });
    expect(removed.job).not.toHaveProperty('secrets');
  });

  test('without a secret keeps the old one, an empty one removes it, another one takes its place', async () => {
    const alice = await newcomer();
    await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }], { secret: 'old' });
    const one = { ...alice, webhookId: listener.webhookId };
    const same = { ...TO_URL, url: listener.receiver.url };
    async function secretSent() {
      await testWebhook(one);
      return listener.receiver.received.at(-1)?.headers['x-webhook-secret'];
    }
    expect((await updateWebhook({ ...one, webhook: same })).webhook.hasSecret).toBe(true);
    expect(await secretSent()).toBe('old');
    expect((await updateWebhook({ ...one, webhook: { ...same, secret: 'new' } })).webhook.hasSecret).toBe(true);
    expect(await secretSent()).toBe('new');
    expect((await updateWebhook({ ...one, webhook: { ...same, secret: '' } })).webhook.hasSecret).toBe(false);
    expect(await secretSent()).toBeUndefined();
  });

  test('leaves a disabled webhook disabled and an enabled one enabled', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    expect((await update(alice, webhook, TO_URL)).disabled).toBe(false);
    await disableWebhook({ ...alice, webhookId: webhook.id });
    expect((await update(alice, webhook, { ...TO_URL, url: 'https://example.com/other' })).disabled).toBe(true);
    expect((await reread(alice, webhook)).disabled).toBe(true);
  });

  test('leaves a suspended webhook suspended', async () => {
    const alice = await newcomer();
    await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }]);
    listener.receiver.answer(410);
    await createRepo({ ...alice, repo: 'letters' });
    await hub.drain();
    const one = { ...alice, webhookId: listener.webhookId };
    expect((await updateWebhook({ ...one, webhook: TO_URL })).webhook.disabled).toBe('suspended-after-failure');
    expect((await enableWebhook(one)).webhook.disabled).toBe(false);
  });
});

describe('enable and disable', () => {
  test.each([
    ['no body', undefined],
    ['an empty JSON body', ''],
    ['an empty object', {}],
  ])('accept %s, and may be repeated', async (_what, body) => {
    const alice = await newcomer();
    const webhook = await create(alice);
    const act = async (action: 'enable' | 'disable') => {
      const answer = await ask(alice, `POST /api/settings/webhooks/${webhook.id}/${action}`, body);
      return [answer.status, await answer.json()];
    };
    const [enabled, disabled] = [{ webhook }, { webhook: { ...webhook, disabled: true } }];
    expect(await act('enable')).toEqual([200, enabled]);
    expect(await act('disable')).toEqual([200, disabled]);
    expect(await act('disable')).toEqual([200, disabled]);
    expect(await act('enable')).toEqual([200, enabled]);
    expect(await act('enable')).toEqual([200, enabled]);
  });

  test('are the only actions', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    for (const action of ['suspend', 'ENABLE', 'toggle'])
      expect((await ask(alice, `POST /api/settings/webhooks/${webhook.id}/${action}`)).status).toBe(400);
    expect(await reread(alice, webhook)).toEqual(webhook);
  });

  test('disable also applies to a suspended webhook, which only enable brings back', async () => {
    const alice = await newcomer();
    await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }]);
    listener.receiver.answer(410);
    await createRepo({ ...alice, repo: 'letters' });
    await hub.drain();
    expect((await listener.webhook()).disabled).toBe('suspended-after-failure');
    await disableWebhook({ ...alice, webhookId: listener.webhookId });
    expect((await listener.webhook()).disabled).toBe(true);
  });

  test('disable fails pending deliveries, which are not retried and can be replayed', async () => {
    const alice = await newcomer();
    await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }]);
    const one = { ...alice, webhookId: listener.webhookId };
    listener.receiver.answer(500);
    await createRepo({ ...alice, repo: 'letters' });
    expect(await listener.payloads()).toHaveLength(1);
    const pending = await listener.newest();
    expect(pending).toMatchObject({ status: 'retrying', attempts: 1 });
    await disableWebhook(one);
    const parked = await listener.newest();
    expect(parked).toMatchObject({
      id: pending.id,
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining('disabled'),
    });
    expect(parked).not.toHaveProperty('nextAttemptAt');
    await enableWebhook(one);
    listener.receiver.answer(200);
    hub.clock.advance(5 * MINUTE);
    expect(await listener.payloads()).toEqual([]);
    expect(await replayDelivery({ ...one, logId: pending.id })).toMatchObject({ status: 200 });
  });

  test('events while a webhook is disabled are never delivered', async () => {
    const alice = await newcomer();
    await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }]);
    const one = { ...alice, webhookId: listener.webhookId };
    await disableWebhook(one);
    await createRepo({ ...alice, repo: 'unheard' });
    await hub.drain();
    await enableWebhook(one);
    await createRepo({ ...alice, repo: 'heard' });
    expect(await listener.events()).toEqual([`repo/create ${alice.name}/heard`]);
    expect(await listener.log()).toHaveLength(1);
  });
});

describe('at most', () => {
  test('100 webhooks per user; then one must be deleted first', async () => {
    const [alice, bob] = [await newcomer(), await newcomer()];
    const webhooks: Webhook[] = [];
    for (let made = 0; made < 100; made += 1) webhooks.push(await create(alice));
    const { status, message } = await refusal(create(alice));
    expect([status, message]).toEqual([409, expect.stringContaining('100')]);
    expect(await listWebhooks(alice)).toHaveLength(100);
    expect((await create(bob)).disabled).toBe(false);
    await deleteWebhook({ ...alice, webhookId: webhooks[50]!.id });
    await create(alice);
    expect(await listWebhooks(alice)).toHaveLength(100);
  });

  test('1,000 items are watched', async () => {
    const alice = await newcomer();
    const watched = Array.from({ length: 1001 }, (_, at) => ({ type: 'model' as const, name: `acme/model-${at}` }));
    const tooMany = await refusal(create(alice, { watched }));
    expect(tooMany).toMatchObject({ status: 400, issues: [{ path: 'body.watched' }] });
    expect(tooMany.message).toContain('1000');
    expect(await listWebhooks(alice)).toEqual([]);
    const webhook = await create(alice, { watched: watched.slice(1) });
    expect(webhook.watched).toEqual(watched.slice(1));
    expect(await refusal(update(alice, webhook, { ...TO_URL, watched }))).toMatchObject({ status: 400 });
    expect(await reread(alice, webhook)).toEqual(webhook);
  });
});

describe('an access token', () => {
  const scopes = (change: Partial<FineGrained>): FineGrained => ({ scoped: [], ...change });
  const READ = 'user.webhooks.read';
  const WRITE = 'user.webhooks.write';
  let made = 0;
  let watched: WebhookInput['watched'] = TO_URL.watched;

  const on = async (who: Connection, permission: string) => ({
    entity: { _id: (await whoAmI(who)).id, type: 'user' },
    permissions: [permission],
  });

  /** Creates another token of a user. */
  async function tokenFor(name: string, role: 'read' | 'write' | 'fineGrained', given?: FineGrained) {
    made += 1;
    const token = `hf_furtherToken${made}`;
    await hub.apply({
      users: [{ name, tokens: [{ name: `further ${made}`, role, token, ...(given && { scopes: given }) }] }],
    });
    return hub.with(token);
  }
  const statusOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 200,
      (error: unknown) => (error as { status: number }).status,
    );
  /** Returns the statuses of every reading call, then those of every changing one. */
  async function may(caller: Connection, webhookId: string) {
    const one = { ...caller, webhookId };
    const reading = [listWebhooks(caller), getWebhook(one), collect(listDeliveries(one))];
    const changing = [
      updateWebhook({ ...one, webhook: { ...TO_URL, watched } }),
      enableWebhook(one),
      rotateWebhookSecret({ ...one, secret: 'new' }),
      create(caller, { watched }),
    ];
    // Both groups run at once, so that no rejection stays unhandled.
    const [read, changed] = await Promise.all([reading, changing].map((calls) => Promise.all(calls.map(statusOf))));
    expect([new Set(read).size, new Set(changed).size]).toEqual([1, 1]);
    return { reading: read?.[0], changing: changed?.[0] };
  }

  test('of role read reads and changes nothing, one of role write does both', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    expect(await may(await tokenFor(alice.name, 'read'), webhook.id)).toEqual({ reading: 200, changing: 403 });
    expect(await listWebhooks(alice)).toEqual([webhook]);
    expect(await may(await tokenFor(alice.name, 'write'), webhook.id)).toEqual({ reading: 200, changing: 200 });
  });

  test('with the permission to read webhooks reads them only; the one to write them implies it', async () => {
    const alice = await newcomer();
    watched = [{ type: 'user', name: alice.name }];
    const webhook = await create(alice, { watched });
    const scoped = [await on(alice, 'repo.content.read')];
    const reader = await tokenFor(alice.name, 'fineGrained', scopes({ scoped, global: [READ] }));
    const writer = await tokenFor(alice.name, 'fineGrained', scopes({ scoped, global: [WRITE] }));
    expect(await may(reader, webhook.id)).toEqual({ reading: 200, changing: 403 });
    expect(await may(writer, webhook.id)).toEqual({ reading: 200, changing: 200 });
  });

  test('may have the permission for its user alone, but not for another one', async () => {
    const [alice, bob] = [await newcomer(), await newcomer()];
    watched = [{ type: 'user', name: alice.name }];
    const webhook = await create(alice, { watched });
    const reading = await on(alice, 'repo.content.read');
    const own = await tokenFor(alice.name, 'fineGrained', scopes({ scoped: [reading, await on(alice, WRITE)] }));
    const other = await tokenFor(alice.name, 'fineGrained', scopes({ scoped: [reading, await on(bob, WRITE)] }));
    expect(await may(own, webhook.id)).toEqual({ reading: 200, changing: 200 });
    expect(await may(other, webhook.id)).toEqual({ reading: 403, changing: 403 });
  });

  test('with other permissions may do neither', async () => {
    const alice = await newcomer();
    const webhook = await create(alice);
    const other = await tokenFor(alice.name, 'fineGrained', scopes({ global: ['repo.write', 'discussion.write'] }));
    expect(await may(other, webhook.id)).toEqual({ reading: 403, changing: 403 });
    const withoutPermissions = await tokenFor(alice.name, 'fineGrained');
    expect(await may(withoutPermissions, webhook.id)).toEqual({ reading: 403, changing: 403 });
  });

  test('is required, and must be valid', async () => {
    for (const token of [undefined, 'hf_neverMadeByAnybody', 'nonsense'])
      for (const request of ['GET /api/settings/webhooks', 'POST /api/settings/webhooks'] as const) {
        const caller = { hubUrl: hub.url, ...(token && { accessToken: token }) };
        const answer = await ask(caller, request, request.startsWith('POST') ? {} : undefined);
        expect(answer.status).toBe(401);
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
  });
});

describe('on the disk of a hub', () => {
  /** Runs `live` on a hub with a data folder; returns the files in the folder afterwards. */
  async function afterLife<T>(live: (hub: TestHub) => Promise<void>, look: (folder: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-'));
    try {
      const inFolder = await startHub({ MOONBASE_DATABASE_URL: '', MOONBASE_DATA_DIR: folder });
      try {
        await inFolder.people('alice');
        await live(inFolder);
      } finally {
        await inFolder[Symbol.asyncDispose]();
      }
      return await look(folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  test('no secret is stored in clear, neither of a webhook nor of its job', async () => {
    const found = await afterLife(
      async (inFolder) => {
        const alice = inFolder.as('alice');
        const webhook = await create(alice, { secret: 'SecretOfTheWebhook' });
        await rotateWebhookSecret({ ...alice, webhookId: webhook.id, secret: 'SecretAfterRotation' });
        await createWithJob(alice, { secrets: { KEY: 'SecretOfTheJob' } });
      },
      async (folder) => {
        const names = await readdir(folder);
        const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')));
        return ['https://example.com/hook', 'SecretOfTheWebhook', 'SecretAfterRotation', 'SecretOfTheJob'].filter(
          (text) => texts.some((content) => content.includes(text)),
        );
      },
    );
    expect(found).toEqual(['https://example.com/hook']);
  });

  test('a job keeps arch, attempts and volumes through an update that does not give them', async () => {
    const volumes = [{ type: 'model' as const, source: 'a/b', mountPath: '/m' }];
    const jobs = await afterLife(
      async (inFolder) => {
        const alice = inFolder.as('alice');
        const [kept, replaced] = [
          await createWithJob(alice, { arch: 'arm64', attempts: 3, volumes }),
          await createWithJob(alice, { arch: 'arm64', attempts: 3, volumes }),
        ];
        await update(alice, kept, { ...NO_TARGET, job: { ...JOB, flavor: 'l4x1' } });
        await update(alice, replaced, { ...NO_TARGET, job: { ...JOB, arch: 'amd64', attempts: 1 } });
      },
      async (folder) => {
        await using database = openDatabase({ folder });
        const rows = await database.read.selectFrom('webhooks').select('job').orderBy('id').execute();
        return rows.map(({ job }) => JSON.parse(job ?? '') as unknown);
      },
    );
    expect(jobs).toMatchObject([
      { flavor: 'l4x1', arch: 'arm64', attempts: 3, volumes },
      { flavor: 'cpu-basic', arch: 'amd64', attempts: 1, volumes },
    ]);
  });
});

test('names are compared regardless of case', async () => {
  const alice = await newcomer();
  await using shouted = await listen(hub, alice, [{ type: 'user', name: alice.name.toUpperCase() }]);
  await using ofModel = await listen(hub, alice, [{ type: 'model', name: `${alice.name}/LETTERS`.toUpperCase() }]);
  await createRepo({ ...alice, repo: 'Letters' });
  const news = [`repo/create ${alice.name}/Letters`];
  expect([await shouted.events(), await ofModel.events()]).toEqual([news, news]);
});

test('the time of the last trigger is the time of the newest event, in UTC', async () => {
  const alice = await newcomer();
  await using listener = await listen(hub, alice, [{ type: 'user', name: alice.name }]);
  expect(await listener.webhook()).not.toHaveProperty('lastTriggerAt');
  await createRepo({ ...alice, repo: 'first' });
  hub.clock.advance(30 * SECOND);
  const at = new Date(hub.clock.now()).toISOString();
  await createRepo({ ...alice, repo: 'second' });
  hub.clock.advance(30 * SECOND);
  await hub.drain();
  expect((await listener.webhook()).lastTriggerAt).toBe(at);
});
