import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getJob, runJob } from '@moonbase/client/jobs';
import { listNotifications } from '@moonbase/client/notifications';
import { createRepo, createTag } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { disableUser, enableUser } from '@moonbase/client/users';
import { createWebhook, replayDelivery } from '@moonbase/client/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../packages/server/test/clock.ts';
import { collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { type MailServer, startMailServer } from '../../packages/server/test/smtp-server.ts';
import { createTestRunner, type TestRunner } from '../../packages/server/test/test-runner.ts';
import { type Listener, listen } from '../../packages/server/test/webhooks-listen.ts';

/** Background work on behalf of a user stops while the user is disabled. */

const REPO = { type: 'model', repo: 'acme/secret' } as const;
const ACME = { type: 'org', name: 'acme' } as const;
const JOB = { dockerImage: 'alpine', command: ['true'] as string[], flavor: 'cpu-basic' as const };

let mail: MailServer;
let runner: TestRunner;
let hub: TestHub;
beforeEach(async () => {
  mail = await startMailServer();
  runner = createTestRunner();
  hub = await startHub(
    {
      MOONBASE_SMTP_URL: mail.url,
      MOONBASE_MAIL_FROM: 'Moonbase <hub@example.com>',
      MOONBASE_MAIL_QUIET_SECONDS: '60',
      MOONBASE_WEBHOOK_RETRY_SCHEDULE: '60,60',
    },
    { runner },
  );
  await hub.apply({
    users: [person('alice'), { ...person('bob'), email: 'bob@example.com' }],
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('alice'), repo: 'acme/secret', private: true });
  await hub.drain();
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

const disable = () => disableUser({ ...hub.admin, username: 'bob' });
const enable = () => enableUser({ ...hub.admin, username: 'bob' });
const tag = (name: string) =>
  createTag({ ...hub.as('alice'), type: 'model', repo: 'acme/secret', revision: 'main', tag: name });

describe('webhooks of a disabled user', () => {
  let listener: Listener;
  beforeEach(async () => {
    listener = await listen(hub, hub.as('bob'), [ACME]);
  });
  afterEach(() => listener[Symbol.asyncDispose]());

  test('get no events while the user is disabled, private or public, and get new events once the user is enabled', async () => {
    await tag('v1');
    expect(await listener.events()).toEqual(['repo.content/update acme/secret']);
    await disable();
    await tag('v2');
    await createRepo({ ...hub.as('alice'), repo: 'acme/open' });
    expect(await listener.events()).toEqual([]);
    await enable();
    expect(await listener.events()).toEqual([]);
    await tag('v3');
    expect(await listener.events()).toEqual(['repo.content/update acme/secret']);
  });

  test('get no pending or retried deliveries; the log says why, and the deliveries can be replayed later', async () => {
    listener.receiver.answer(503);
    await tag('v1');
    expect(await listener.events()).toHaveLength(1);
    await tag('v2');
    await disable();
    listener.receiver.answer(200);
    hub.clock.advance(HOUR);
    expect(await listener.events()).toEqual([]);
    await enable();
    expect(await listener.events()).toEqual([]);
    const [second, first] = await listener.log();
    expect(second).toMatchObject({ status: 'failed', error: expect.stringContaining('or its owner disabled, before') });
    expect(first).toMatchObject({ status: 'failed', error: 'The owner of this webhook is disabled' });
    expect((await listener.webhook()).disabled).toBe(false);
    for (const entry of [first, second])
      await replayDelivery({ ...hub.as('bob'), webhookId: listener.webhookId, logId: entry?.id ?? '' });
    expect(await listener.events()).toHaveLength(2);
  });

  test('still follow renames of watched items', async () => {
    await disable();
    const moved = await fetch(`${hub.url}/api/repos/move`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.as('alice').accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ fromRepo: 'acme/secret', toRepo: 'acme/quiet', type: 'model' }),
    });
    expect(moved.status).toBe(200);
    await hub.drain();
    await enable();
    await createTag({ ...hub.as('alice'), type: 'model', repo: 'acme/quiet', revision: 'main', tag: 'v1' });
    expect(await listener.events()).toEqual(['repo.content/update acme/quiet']);
  });
});

describe('jobs of a disabled user', () => {
  test('are canceled, whether running or waiting', async () => {
    const own = await runJob({ ...hub.as('bob'), namespace: 'bob', job: JOB });
    const shared = await runJob({ ...hub.as('bob'), namespace: 'acme', job: JOB });
    const others = await runJob({ ...hub.as('alice'), namespace: 'acme', job: JOB });
    await hub.drain();
    expect(runner.running()).toHaveLength(3);
    const waiting = await runJob({ ...hub.as('bob'), namespace: 'bob', job: JOB });
    await disable();
    await hub.drain();
    expect(runner.running()).toEqual([expect.stringContaining(others.id)]);
    expect(await getJob({ ...hub.as('alice'), namespace: 'acme', jobId: shared.id })).toMatchObject({
      status: { stage: 'CANCELED', message: 'Canceled: the user who created it was disabled' },
    });
    await enable();
    await hub.drain();
    for (const { id } of [own, waiting])
      expect((await getJob({ ...hub.as('bob'), namespace: 'bob', jobId: id })).status.stage).toBe('CANCELED');
  });

  test('are not started by schedules until the user is enabled, and then once', async () => {
    await createScheduledJob({
      ...hub.as('bob'),
      namespace: 'acme',
      schedule: '@hourly',
      jobSpec: JOB,
    });
    await disable();
    hub.clock.advance(DAY);
    await hub.drain();
    expect(runner.launched).toEqual([]);
    await enable();
    await hub.drain();
    expect(runner.launched).toHaveLength(1);
  });

  test('are not launched by webhooks', async () => {
    await createWebhook({ ...hub.as('bob'), webhook: { job: JOB, watched: [ACME], domains: ['repo'] } });
    await tag('v1');
    await disable();
    await hub.drain();
    expect(runner.launched).toEqual([]);
  });
});

describe('the notifications of a disabled user', () => {
  const inbox = async () =>
    (await collect(listNotifications(hub.as('bob')))).map((each) => 'discussion' in each && each.discussion.title);

  test('stop, by mail and in the inbox; the earlier inbox returns once the user is enabled', async () => {
    const discuss = (title: string) =>
      createDiscussion({ ...hub.as('alice'), ...REPO, title, description: 'For @bob' });
    await discuss('Before');
    await hub.drain();
    expect(await inbox()).toEqual(['Before']);
    // The mail is due only after its quiet period.
    await disable();
    await discuss('Meanwhile');
    await commentDiscussion({ ...hub.as('alice'), ...REPO, num: 1, comment: 'More for @bob' });
    await hub.drain();
    hub.clock.advance(10 * MINUTE);
    await hub.drain();
    expect(mail.received()).toEqual([]);
    await enable();
    await hub.drain();
    expect(await inbox()).toEqual(['Before']);
    await discuss('After');
    await hub.drain();
    hub.clock.advance(10 * MINUTE);
    await hub.drain();
    expect(mail.received()).toHaveLength(1);
    expect(await inbox()).toEqual(['After', 'Before']);
  });
});
