import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { createDiscussion } from '@moonbase/client/discussions';
import { duplicateJob, getJob, listJobs, runJob, streamJobLogs } from '@moonbase/client/jobs';
import {
  approveMemberToken,
  denyMemberToken,
  listMemberTokens,
  revokeMemberToken,
  revokeMemberTokenById,
  updateTokenPolicy,
} from '@moonbase/client/member-tokens';
import {
  deleteNotifications,
  getNotificationPage,
  listDoneNotifications,
  restoreNotifications,
  streamNotifications,
} from '@moonbase/client/notifications';
import { createOrganization, updateOrganization } from '@moonbase/client/organizations';
import { getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { createScheduledJob, resumeScheduledJob, updateJobSchedule } from '@moonbase/client/scheduled-jobs';
import { replayDeliveries } from '@moonbase/client/webhook-replays';
import { openWebhookStream, streamDeliveries } from '@moonbase/client/webhook-streams';
import {
  createWebhook,
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
  type WebhookInput,
} from '@moonbase/client/webhooks';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import {
  type Connection,
  collect,
  person,
  startHub,
  type TestHub,
  tokenOf,
} from '../../packages/server/test/harness.ts';
import { type Receiver, startReceiver } from '../../packages/server/test/receiver.ts';
import { createTestRunner } from '../../packages/server/test/test-runner.ts';

/**
 * bob writes in acme, whose admins are ada and eve. With a valid token he has a webhook on the private acme/secret,
 * whose one discussion is in the log of the webhook and in his inbox. He, or whoever found it, also holds a weaker
 * token: one that acme refuses, or a fine-grained one.
 */
const CANARY = 'the-unannounced-model';
const SECRET = { type: 'model', repo: 'acme/secret' } as const;
const JOB = { flavor: 'cpu-basic' as const, dockerImage: 'python:3.12', command: ['true'] };

let hub: TestHub;
let bob: Connection;
let receiver: Receiver;
let thief: Receiver;
let webhookId: string;
let logId: string;
const runner = createTestRunner();

beforeEach(async () => {
  hub = await startHub({}, { runner });
  [receiver, thief] = [await startReceiver(), await startReceiver()];
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await Promise.all([receiver[Symbol.asyncDispose](), thief[Symbol.asyncDispose]()]);
  });
  await hub.apply({
    users: ['ada', 'eve', 'bob', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'eve', role: 'admin' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
  bob = hub.as('bob');
  await createRepo({ ...bob, repo: 'acme/secret', private: true });
  await createRepo({ ...bob, repo: 'bob/notes', private: true });
  await hub.drain();
  ({
    webhook: { id: webhookId },
  } = await createWebhook({ ...bob, webhook: hook('acme/secret', receiver.url) }));
  await say('one');
  logId = (await collect(listDeliveries({ ...bob, webhookId })))[0]?.id ?? '';
});

const hook = (name: string, url = thief.url): WebhookInput => ({
  url,
  watched: [{ type: 'model', name }],
  domains: ['repo', 'discussion'],
});

/** Lets ada open a discussion that mentions bob, and runs everything due. */
async function say(title: string): Promise<void> {
  await createDiscussion({ ...hub.as('ada'), ...SECRET, title: `${CANARY} ${title}`, description: '@bob' });
  await hub.drain();
}

let made = 0;
type Scoped = readonly (readonly [entity: string, permission: string])[];

/** Creates another token with the token of `as`: a write token, or a token with the given scopes. */
async function furtherToken(user: string, scoped?: Scoped, by = hub.as(user)) {
  made += 1;
  const entities = new Map<string, string[]>();
  for (const [entity, permission] of scoped ?? []) entities.set(entity, [...(entities.get(entity) ?? []), permission]);
  const given = [...entities].map(([_id, permissions]) => ({ entity: { _id, type: 'org' as const }, permissions }));
  const { id, token } = await createAccessToken({
    ...by,
    displayName: `further ${made}`,
    ...(scoped ? { role: 'fineGrained', fineGrained: { scoped: given as never } } : { role: 'write' }),
  });
  return { ...hub.with(token), id, token };
}

const idOf = async (name: string) =>
  (await hub.database.read.selectFrom('accounts').select('id').where('name_key', '=', name).executeTakeFirstOrThrow())
    .id;
const repoId = async (name: string) =>
  (
    await hub.database.read
      .selectFrom('repositories')
      .select('id')
      .where('name_key', '=', name)
      .executeTakeFirstOrThrow()
  ).id;

const ada = () => ({ ...hub.as('ada'), name: 'acme' });
const status = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: unknown) => (error as { status: number }).status,
  );
const reads = async (caller: Connection) => (await ask(caller, 'GET /api/models/acme/secret')).status;

/** Each way in which bob comes to hold a token that may not read acme/secret. */
const HELD: [string, () => Promise<Connection>][] = [
  [
    'revoked',
    async () => {
      const held = await furtherToken('bob');
      await revokeMemberToken({ ...ada(), token: held.token });
      return held;
    },
  ],
  [
    'denied',
    async () => {
      const held = await furtherToken('bob');
      await denyMemberToken({ ...ada(), tokenId: held.id });
      return held;
    },
  ],
  [
    'pending',
    async () => {
      await updateTokenPolicy({ ...ada(), policy: 'approval' });
      return furtherToken('bob');
    },
  ],
  [
    'fine-grained, with all rights on bob and none on acme',
    async () => {
      const words = ['repo.write', 'user.webhooks.write', 'user.settings.write', 'job.write', 'discussion.write'];
      const id = await idOf('bob');
      const held = await furtherToken(
        'bob',
        words.map((word) => [id, word] as const),
      );
      // Not every token may grant the permissions for notifications.
      const scoped = [{ entity: { _id: id, type: 'user' }, permissions: [...words, 'user.notifications.write'] }];
      await hub.database.transaction((tx) =>
        tx
          .updateTable('tokens')
          .set({ fine_grained: JSON.stringify({ scoped }) })
          .where('id', '=', held.id)
          .execute(),
      );
      return held;
    },
  ],
];

describe.each(HELD)('a token that is %s', (_, hold) => {
  let held: Connection;
  beforeEach(async () => {
    held = await hold();
    // Under the policy `approval`, bob's first token waits for a decision, too.
    const first = (await collect(listMemberTokens(ada()))).findLast(({ user }) => user === 'bob');
    if (first?.status === 'pending') await approveMemberToken({ ...ada(), tokenId: first.id });
    expect(await reads(bob)).toBe(200);
    expect([403, 404]).toContain(await reads(held));
  });

  test('neither sees, counts, marks nor deletes notifications of the repository', async () => {
    const page = await getNotificationPage({ ...held, reasons: true });
    expect(JSON.stringify(page)).not.toContain(CANARY);
    expect(page).toMatchObject({ count: { view: 0, unread: 0, all: 0 }, reasons: [] });
    expect(await deleteNotifications({ ...held, applyToAll: true })).toMatchObject({ count: 0 });
    const stream = streamNotifications(held);
    expect((await stream.next()).value).toEqual({ event: 'count', data: { unread: 0, all: 0 } });
    await stream.return();
    const { notifications, count } = await getNotificationPage(bob);
    expect(count.all).toBe(1);
    const threads = notifications.flatMap((each) => (each.type === 'repo' ? [each.discussion.id] : []));
    expect(await deleteNotifications({ ...bob, discussionIds: threads })).toMatchObject({ count: 1 });
    expect(await listDoneNotifications(held)).toEqual({ notifications: [], count: { view: 0 }, start: 0 });
    expect(await restoreNotifications({ ...held, discussionIds: threads })).toMatchObject({ count: 0 });
    expect(await restoreNotifications({ ...bob, discussionIds: threads })).toMatchObject({ count: 1 });
  });

  test('neither reads, changes, tests nor replays a webhook on the repository', async () => {
    const one = { ...held, webhookId };
    expect(await listWebhooks(held)).toEqual([]);
    const calls = [
      getWebhook(one),
      updateWebhook({ ...one, webhook: hook('acme/secret') }),
      updateWebhook({ ...one, webhook: hook('bob/notes') }),
      testWebhook({ ...one, scope: 'repo', action: 'create' }),
      replayDelivery({ ...one, logId }),
      replayDeliveries({ ...one, dryRun: false }),
      collect(listDeliveries(one)),
      getDelivery({ ...one, logId }),
      rotateWebhookSecret({ ...one, secret: 'new' }),
      disableWebhook(one),
      enableWebhook(one),
      ask(held, `GET /api/settings/webhooks/${webhookId}/logs/counts`).then(({ status }) => Promise.reject({ status })),
    ];
    expect(await Promise.all(calls.map(status))).toEqual(calls.map(() => 403));
    await say('two');
    expect(thief.received).toEqual([]);
    expect(receiver.received).toHaveLength(2);
  });

  test('creates no webhook and no stream on the repository, nor on an account that may own it', async () => {
    const watched = [
      { type: 'model', name: 'acme/secret' },
      { type: 'org', name: 'acme' },
      { type: 'model', name: 'acme/not-there-yet' },
      { type: 'org', name: 'nobody-yet' },
    ] as const;
    for (const item of watched) {
      const webhook = { ...hook('bob/notes'), watched: [{ type: 'model' as const, name: 'bob/notes' }, item] };
      expect(await status(createWebhook({ ...held, webhook }))).toBe(403);
      expect(await status(openWebhookStream({ ...held, stream: { watched: [item] } }))).toBe(403);
    }
    expect(await status(createWebhook({ ...held, webhook: hook('bob/notes') }))).toBe(200);
    expect(await status(openWebhookStream({ ...held, stream: {} }))).toBe(200);
  });

  test('reads no deliveries of a stream on the repository that another token opened', async () => {
    const { stream } = await openWebhookStream({ ...bob, stream: { watched: [{ type: 'org', name: 'acme' }] } });
    await say('two');
    const deliveries = streamDeliveries({ ...held, streamId: stream.id });
    await expect(deliveries.next()).rejects.toMatchObject({ status: 403 });
    expect(await (await ask(held, 'GET /api/settings/webhook-streams')).json()).toEqual([]);
  });

  test('mounts the repository in no job, not even by a webhook, and reads no job that does', async () => {
    const volumes = [{ type: 'model' as const, source: 'acme/secret', mountPath: '/m' }];
    const namespace = 'bob';
    expect(await status(runJob({ ...held, namespace, job: { ...JOB, volumes } }))).toBe(400);
    const { url: _, ...target } = hook('bob/notes');
    expect(await status(createWebhook({ ...held, webhook: { ...target, job: { ...JOB, volumes } } }))).toBe(403);
    const { id: jobId } = await runJob({ ...bob, namespace, job: { ...JOB, volumes } });
    const one = { ...held, namespace, jobId };
    expect(await collect(listJobs({ ...held, namespace }))).toEqual([]);
    expect(await status(getJob(one))).toBe(403);
    expect(await status(streamJobLogs(one).next())).toBe(403);
    expect(await status(createWebhook({ ...held, webhook: { ...target, jobSourceId: jobId } }))).toBe(403);
  });

  test('creates nothing in a resource group of acme', async () => {
    const users = [{ user: 'bob', role: 'admin' }];
    const group = { name: 'lab', users };
    const answer = await ask(hub.as('ada'), 'POST /api/organizations/acme/resource-groups', group);
    const { id } = (await answer.json()) as { id: string };
    const body = { name: 'acme/mine', private: true, resourceGroupId: id };
    expect((await ask(held, 'POST /api/repos/create', body)).status).toBe(403);
  });

  test('creates no token that reads the repository', async () => {
    const tokens = [];
    for (const role of ['write', 'read'] as const)
      tokens.push(await ask(held, 'POST /api/settings/tokens', { displayName: `a ${role}`, role }));
    const scoped = [{ entity: { _id: await idOf('acme'), type: 'org' }, permissions: ['repo.content.read'] }];
    const fine = { displayName: 'a fine one', role: 'fineGrained', fineGrained: { scoped } };
    tokens.push(await ask(held, 'POST /api/settings/tokens', fine));
    for (const answer of tokens) {
      const { token } = (await answer.json()) as { token?: string };
      if (answer.status === 200) expect([403, 404]).toContain(await reads(hub.with(token ?? '')));
      else expect(answer.status).toBe(400);
    }
  });
});

describe('a decision of acme about a token', () => {
  test('applies to the tokens that the token created before, directly or indirectly', async () => {
    const first = await furtherToken('bob');
    const second = await furtherToken('bob', undefined, first);
    const third = await furtherToken('bob', undefined, second);
    const other = await furtherToken('bob');
    await deleteAccessToken({ ...bob, tokenId: second.id, keepCreated: true });
    await denyMemberToken({ ...ada(), tokenId: first.id });
    expect(await Promise.all([first, third, other, bob].map(reads))).toEqual([403, 403, 200, 200]);
    await approveMemberToken({ ...ada(), tokenId: third.id });
    expect(await Promise.all([first, third].map(reads))).toEqual([403, 200]);
    await revokeMemberTokenById({ ...ada(), tokenId: first.id });
    expect(await Promise.all([first, third, other, bob].map(reads))).toEqual([403, 403, 200, 200]);
    await deleteAccessToken({ ...bob, tokenId: first.id, keepCreated: true });
    expect(await reads(third)).toBe(403);
  });

  test('applies to tokens of admins under any policy, but not to the calling token', async () => {
    const held = await furtherToken('eve');
    for (const policy of ['any', 'approval', 'any'] as const) {
      await updateTokenPolicy({ ...ada(), policy });
      expect(await reads(held)).toBe(200);
      await denyMemberToken({ ...ada(), tokenId: held.id });
      expect(await reads(held)).toBe(403);
      expect(await status(approveMemberToken({ ...held, name: 'acme', tokenId: held.id }))).toBe(403);
      await approveMemberToken({ ...ada(), tokenId: held.id });
    }
    const child = await furtherToken('ada');
    const [own] = (await collect(listMemberTokens(ada()))).filter(({ user }) => user === 'ada').slice(-1);
    for (const decide of [denyMemberToken, revokeMemberTokenById])
      expect(await status(decide({ ...child, name: 'acme', tokenId: own?.id ?? '' }))).toBe(400);
  });
});

test('a token with a global permission, which opens nothing private, creates no token that opens more', async () => {
  const held = await furtherToken('bob', [[await idOf('bob'), 'user.settings.write']]);
  const scoped = [{ entity: { _id: await idOf('bob'), type: 'user' }, permissions: ['user.settings.write'] }];
  await hub.database.transaction((tx) =>
    tx
      .updateTable('tokens')
      .set({ fine_grained: JSON.stringify({ scoped, global: ['repo.content.read', 'repo.write'] }) })
      .where('id', '=', held.id)
      .execute(),
  );
  expect(await reads(held)).toBe(404);
  for (const word of ['repo.content.read', 'repo.write'])
    await expect(furtherToken('bob', [[await idOf('acme'), word]], held)).rejects.toMatchObject({ status: 400 });
});

describe('a fine-grained token that reads bob/notes alone', () => {
  const narrow = async (...more: string[]) => {
    const notes = await repoId('notes');
    const id = await idOf('bob');
    return furtherToken('bob', [
      [notes, 'repo.content.read'],
      [id, 'user.webhooks.write'],
      ...more.map((word) => [id, word] as const),
    ]);
  };

  test('launches no job without job.write, whichever way', async () => {
    const held = await narrow();
    const { id: jobSourceId } = await runJob({ ...bob, namespace: 'bob', job: JOB });
    const { url: _, ...target } = hook('bob/notes');
    const webhook = { ...target, job: JOB };
    expect(await status(createWebhook({ ...held, webhook }))).toBe(403);
    expect(await status(createWebhook({ ...held, webhook: { ...target, jobSourceId } }))).toBe(403);
    const { webhook: mine } = await createWebhook({ ...held, webhook: hook('bob/notes') });
    expect(await status(updateWebhook({ ...held, webhookId: mine.id, webhook }))).toBe(403);
    const { webhook: theirs } = await createWebhook({ ...bob, webhook });
    const one = { ...held, webhookId: theirs.id };
    const before = (await collect(listJobs({ ...bob, namespace: 'bob' }))).length;
    const calls = [getWebhook(one), testWebhook({ ...one, scope: 'repo', action: 'create' }), enableWebhook(one)];
    expect(await Promise.all(calls.map(status))).toEqual([403, 403, 403]);
    expect((await listWebhooks(held)).map(({ id }) => id)).toEqual([mine.id]);
    expect(await collect(listJobs({ ...bob, namespace: 'bob' }))).toHaveLength(before);
    const allowed = await narrow('job.write');
    expect((await testWebhook({ ...allowed, webhookId: theirs.id, scope: 'repo', action: 'create' })).status).toBe(200);
  });

  test('gains no volumes that it may not read from a job that it may read', async () => {
    const held = await narrow('job.write');
    const { url: _, ...target } = hook('bob/notes');
    const volumes = [{ type: 'model' as const, source: 'acme/secret', mountPath: '/m' }];
    const { webhook } = await createWebhook({ ...bob, webhook: { ...target, job: { ...JOB, volumes } } });
    const change = { ...target, job: { ...JOB, command: ['cat', '/m'] } };
    expect(await status(updateWebhook({ ...held, webhookId: webhook.id, webhook: change }))).toBe(403);
  });

  test('lets no job write to a bucket without repo.write: not by a webhook, nor by a schedule', async () => {
    await createBucket({ ...bob, repo: 'bob/data' });
    const reads = ['job.write', 'repo.content.read'];
    const [held, writer] = [await narrow(...reads), await narrow(...reads, 'repo.write')];
    const { url: _, ...target } = hook('bob/notes');
    const job = (readOnly: boolean) => ({
      ...JOB,
      volumes: [{ type: 'bucket' as const, source: 'bob/data', mountPath: '/data', readOnly }],
    });
    const { id: jobSourceId } = await runJob({ ...bob, namespace: 'bob', job: job(false) });
    const { webhook } = await createWebhook({ ...bob, webhook: { ...target, job: job(false) } });
    const jobSpec = job(false);
    const { id: jobId } = await createScheduledJob({
      ...bob,
      namespace: 'bob',
      jobSpec,
      schedule: '@daily',
      suspend: true,
    });
    const scheduled = { namespace: 'bob', jobId };
    const attempts = (caller: Connection) => {
      const one = { ...caller, webhookId: webhook.id };
      return [
        createWebhook({ ...caller, webhook: { ...target, job: job(false) } }),
        createWebhook({ ...caller, webhook: { ...target, jobSourceId } }),
        updateWebhook({ ...one, webhook: { ...target, job: { ...JOB, command: ['rm', '-r', '/data'] } } }),
        testWebhook({ ...one, scope: 'repo', action: 'create' }),
        enableWebhook(one),
        updateJobSchedule({ ...caller, ...scheduled, schedule: '@hourly' }),
        resumeScheduledJob({ ...caller, ...scheduled }),
      ];
    };
    expect(await Promise.all(attempts(held).map(status))).toEqual(Array(7).fill(403));
    expect(await status(getWebhook({ ...held, webhookId: webhook.id }))).toBe(200);
    expect(await status(createWebhook({ ...held, webhook: { ...target, job: job(true) } }))).toBe(200);
    expect(await Promise.all(attempts(writer).map(status))).toEqual(Array(7).fill(200));
  });

  test('gets nothing else from a webhook that watches bob/notes now and watched more before', async () => {
    const held = await narrow();
    await updateWebhook({ ...bob, webhookId, webhook: hook('bob/notes', receiver.url) });
    const one = { ...held, webhookId };
    expect(await collect(listDeliveries(one))).toEqual([]);
    expect(await status(getDelivery({ ...one, logId }))).toBe(404);
    expect(await status(replayDelivery({ ...one, logId }))).toBe(404);
    await updateWebhook({ ...one, webhook: hook('bob/notes') });
    expect(await replayDeliveries({ ...one, dryRun: true })).toEqual({ dryRun: true, matched: 0 });
    await replayDeliveries({ ...one, dryRun: false });
    await hub.drain();
    expect(thief.received).toEqual([]);
    expect(await replayDeliveries({ ...bob, webhookId, dryRun: true })).toMatchObject({ matched: 1 });
  });

  test('cannot redirect pending deliveries to another target', async () => {
    const held = await narrow();
    receiver.answer(500);
    await say('on its way');
    await updateWebhook({ ...bob, webhookId, webhook: hook('bob/notes', receiver.url) });
    expect(await status(updateWebhook({ ...held, webhookId, webhook: hook('bob/notes') }))).toBe(403);
    hub.clock.advance(3 * 24 * 60 * 60 * 1000);
    await hub.drain();
    expect(thief.received).toEqual([]);
  });
});

test('a stream sends nothing more of acme once its token is revoked', async () => {
  const held = await furtherToken('bob');
  const { stream } = await openWebhookStream({
    ...held,
    stream: { watched: [{ type: 'model', name: 'acme/secret' }] },
  });
  const deliveries = streamDeliveries({ ...held, streamId: stream.id });
  const inbox = streamNotifications(held);
  expect((await deliveries.next()).value).toMatchObject({ event: 'alive' });
  expect((await inbox.next()).value).toMatchObject({ event: 'count', data: { all: 1 } });
  await revokeMemberToken({ ...ada(), token: held.token });
  await say('two');
  expect((await deliveries.next()).done).toBe(true);
  expect((await inbox.next()).value).toEqual({ event: 'count', data: { unread: 0, all: 0 } });
  await inbox.return();
});

test('a job that an event of acme launched is hidden from a token that acme refuses', async () => {
  const { url: _, ...target } = hook('acme/secret');
  await createWebhook({ ...bob, webhook: { ...target, job: JOB } });
  await say('two');
  const [job] = await collect(listJobs({ ...bob, namespace: 'bob' }));
  const held = await furtherToken('bob');
  expect(await status(getJob({ ...held, namespace: 'bob', jobId: job?.id ?? '' }))).toBe(200);
  await revokeMemberToken({ ...ada(), token: held.token });
  expect(await status(getJob({ ...held, namespace: 'bob', jobId: job?.id ?? '' }))).toBe(403);
  expect(await collect(listJobs({ ...held, namespace: 'bob' }))).toEqual([]);
});

test('a job stays hidden from a refused token when somebody else takes the names that it ran on', async () => {
  const { url: _, ...target } = hook('acme/secret');
  await createWebhook({ ...bob, webhook: { ...target, job: JOB } });
  await say('two');
  const volumes = [{ type: 'model' as const, source: 'acme/secret', mountPath: '/m' }];
  await runJob({ ...bob, namespace: 'bob', job: { ...JOB, volumes } });
  const jobs = await collect(listJobs({ ...bob, namespace: 'bob' }));
  const { id: jobId } = await duplicateJob({ ...bob, namespace: 'bob', jobId: jobs.at(-1)?.id ?? '' });
  const held = await furtherToken('bob');
  await updateOrganization({ ...ada(), change: { name: 'corp' } });
  await revokeMemberToken({ ...ada(), name: 'corp', token: held.token });
  await createOrganization({ ...bob, name: 'acme' });
  await createRepo({ ...bob, repo: 'acme/secret', private: true });
  expect(await collect(listJobs({ ...held, namespace: 'bob' }))).toEqual([]);
  for (const { id } of [...jobs, { id: jobId }])
    expect(await status(getJob({ ...held, namespace: 'bob', jobId: id }))).toBe(403);
});

test('the members of an organization with a private list are hidden from a token that it refuses', async () => {
  await updateOrganization({ ...ada(), change: { membersPrivate: true } });
  const orgs = async (caller: Connection) =>
    (await getUserOverview({ ...caller, username: 'ada' })).orgs.map(({ name }) => name);
  const held = await furtherToken('bob');
  expect(await orgs(held)).toEqual(['acme']);
  await revokeMemberToken({ ...ada(), token: held.token });
  expect(await orgs(held)).toEqual([]);
  expect(await orgs(bob)).toEqual(['acme']);
  expect(await whoAmI(held)).toMatchObject({ name: 'bob' });
  expect(tokenOf('bob')).not.toBe(held.token);
});
