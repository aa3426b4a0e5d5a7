import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardDeadLetter, listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { getJob, type JobSpecification, runJob } from '@moonbase/client/jobs';
import { createRepo } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { createWebhook, getDelivery, getWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import type { Overrides } from '../../packages/server/src/hub.ts';
import type { QueueName } from '../../packages/server/src/platform/database/tables.ts';
import { onTopic } from '../../packages/server/src/platform/events/reaction.ts';
import type { Outbound } from '../../packages/server/src/platform/outbound/outbound.ts';
import { onTask } from '../../packages/server/src/platform/queue/tasks.ts';
import { repoTopic } from '../../packages/server/src/repositories/index.ts';
import { anyTask } from '../../packages/server/test/any-form.ts';
import { createTestClock, HOUR, MINUTE } from '../../packages/server/test/clock.ts';
import { collect, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { type Receiver, startReceiver } from '../../packages/server/test/receiver.ts';
import { startMailServer } from '../../packages/server/test/smtp-server.ts';
import { createTestDatabase, engine } from '../../packages/server/test/test-database.ts';
import { createTestRunner } from '../../packages/server/test/test-runner.ts';
import { type Listener, listen, refusal } from '../../packages/server/test/webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };

/** Starts a hub whose reaction to a repository named `poison` is `bad`, until the test repairs it. */
function poisonedBy(bad: () => Promise<undefined>) {
  const state = { mended: false, times: 0 };
  const reactions: Overrides['reactions'] = (table) => [
    ...table,
    onTopic(repoTopic, {
      async poison(_tx, event) {
        if (state.mended || !event.data.repo.name.includes('poison')) return undefined;
        state.times += 1;
        return bad();
      },
    }),
  ];
  return { state, reactions };
}

/** Lets failed items be retried until they are set aside. */
async function failOften(hub: TestHub, times = 5): Promise<void> {
  for (let time = 0; time < times; time++) {
    await hub.drain();
    hub.clock.advance(3 * MINUTE);
  }
}

const lettersOf = (hub: TestHub) => collect(listDeadLetters(hub.admin));

describe.each([
  ['throws', () => Promise.reject(new Error('poison at https://u:secret@example.com/a?token=hf_secretSecret'))],
  ['never returns', () => new Promise<undefined>(() => {})],
])('an event whose reaction %s', (what, bad) => {
  test('is set aside after five failures, and can be retried', async () => {
    const { state, reactions } = poisonedBy(bad);
    await using hub = await startHub({}, { reactions });
    await hub.people('alice');
    await using listener = await listen(hub, hub.as('alice'), [ALICE]);
    await createRepo({ ...hub.as('alice'), repo: 'alice/poison' });
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    await hub.drain();
    expect(listener.receiver.received.map(({ payload }) => payload.repo.name)).toEqual(['alice/letters']);
    await failOften(hub);
    expect(state.times).toBe(5);
    const [letter, ...others] = await lettersOf(hub);
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ queue: 'events', kind: 'repo', failures: 5, deaths: 0 });
    expect(letter?.error).toMatch(what === 'throws' ? /^Error: poison at https:\/\/example.com$/ : /^NeverSettled/);
    state.mended = true;
    await retryDeadLetter({ ...hub.admin, id: letter?.id ?? '' });
    await hub.drain();
    expect(listener.receiver.received.map(({ payload }) => payload.repo.name)).toEqual([
      'alice/letters',
      'alice/poison',
    ]);
    expect(await lettersOf(hub)).toEqual([]);
  });

  test('is given up once it is discarded', async () => {
    const { reactions, state } = poisonedBy(bad);
    await using hub = await startHub({}, { reactions });
    await hub.people('alice');
    await createRepo({ ...hub.as('alice'), repo: 'alice/poison' });
    await failOften(hub);
    const [letter] = await lettersOf(hub);
    const one = { ...hub.admin, id: letter?.id ?? '' };
    await discardDeadLetter(one);
    expect(await refusal(discardDeadLetter(one))).toMatchObject({ status: 404 });
    expect(await refusal(retryDeadLetter(one))).toMatchObject({ status: 404 });
    hub.clock.advance(HOUR);
    await hub.drain();
    expect(state.times).toBe(5);
  });
});

test('a task that fails five times is set aside, and the next one succeeds', async () => {
  let mended = false;
  const done: unknown[] = [];
  await using hub = await startHub(
    {},
    {
      tasks: (table) => [
        ...table,
        onTask(anyTask('poison'), async (_tx, { data }) => {
          if (data === 'bad' && !mended) throw new Error('poison');
          done.push(data);
          return 'done';
        }),
      ],
    },
  );
  for (const [at, data] of ['bad', 'good'].entries())
    await hub.database.transaction((tx) =>
      tx
        .insertInto('tasks')
        .values({
          ...{ id: String(at).padStart(24, '0'), kind: 'poison', key: null, data: JSON.stringify(data) },
          ...{ due_at: 0, attempts: 0, created_at: 0 },
        })
        .execute(),
    );
  await failOften(hub);
  expect(done).toEqual(['good']);
  const [letter] = await lettersOf(hub);
  expect(letter).toMatchObject({ queue: 'tasks', kind: 'poison', failures: 5, error: 'Error: poison' });
  mended = true;
  await retryDeadLetter({ ...hub.admin, id: letter?.id ?? '' });
  await hub.drain();
  expect(done).toEqual(['good', 'bad']);
});

test('a delivery that the hub fails to send five times fails in the log of its owner, who is not to blame', async () => {
  const [good, bad] = ['https://example.com/good', 'https://example.com/bad'];
  const sent: string[] = [];
  let mended = false;
  const outbound: Outbound = {
    async post({ url }) {
      if (url === bad && !mended) throw new Error('poison');
      sent.push(url);
      return { kind: 'answered', status: 200, headers: {}, body: '', durationMs: 1 };
    },
    async [Symbol.asyncDispose]() {},
  };
  await using hub = await startHub({}, { outbound });
  await hub.people('alice');
  const alice = hub.as('alice');
  const webhookTo = (url: string) => createWebhook({ ...alice, webhook: { url, watched: [ALICE], domains: ['repo'] } });
  const { webhook } = await webhookTo(bad);
  await webhookTo(good);
  await createRepo({ ...alice, repo: 'alice/letters' });
  await failOften(hub);
  expect(sent).toEqual([good]);
  const [letter] = await lettersOf(hub);
  expect(letter).toMatchObject({ queue: 'deliveries', kind: 'trigger repo/create', failures: 5 });
  const one = { ...alice, webhookId: webhook.id };
  const [entry] = await collect(listDeliveries(one));
  expect(entry).toMatchObject({ id: letter?.itemId, status: 'failed', attempts: 5 });
  expect((await getWebhook(one)).webhook.disabled).toBe(false);

  mended = true;
  await retryDeadLetter({ ...hub.admin, id: letter?.id ?? '' });
  await hub.drain();
  expect(sent).toEqual([good, bad]);
  expect(await getDelivery({ ...one, logId: letter?.itemId ?? '' })).toMatchObject({ status: 'delivered' });
});

test('a mail that the hub fails to read five times is set aside, and the next one is sent', async () => {
  await using server = await startMailServer();
  await using hub = await startHub({ MOONBASE_SMTP_URL: server.url, MOONBASE_MAIL_FROM: 'hub@example.com' });
  await hub.apply({ users: [{ name: 'alice', email: 'alice@example.com' }] });
  const { id: user_id } = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'alice')
    .executeTakeFirstOrThrow();
  const mail = (at: number, data: string) => ({
    ...{ id: String(at).padStart(24, '0'), user_id, kind: 'security', data, thread_id: null },
    ...{ first_comment_id: null, last_comment_id: null, created_at: hub.clock.now(), due_at: hub.clock.now() },
    ...{ attempts: 0, state: 'waiting' as const, error: null },
  });
  await hub.database.transaction((tx) =>
    tx
      .insertInto('mails')
      .values([
        mail(1, '{'),
        mail(2, JSON.stringify({ about: 'webhook', webhookId: 'f'.repeat(24), origin: null, reason: 'Too late' })),
      ])
      .execute(),
  );
  await hub.drain();
  expect(server.received()).toHaveLength(1);
  await failOften(hub);
  expect(await lettersOf(hub)).toMatchObject([{ queue: 'mails', kind: 'security', failures: 5 }]);
});

test('a job whose step fails five times is set aside while another completes; discarding it makes it fail', async () => {
  const runner = createTestRunner();
  let bad = '';
  await using hub = await startHub(
    {},
    {
      runner: {
        ...runner,
        async inspect(key) {
          if (key.startsWith(bad)) throw new Error('poison');
          return runner.inspect(key);
        },
      },
    },
  );
  await hub.people('alice');
  const alice = { ...hub.as('alice'), namespace: 'alice' };
  ({ id: bad } = await runJob({ ...alice, job: JOB }));
  const { id: good } = await runJob({ ...alice, job: JOB });
  await hub.drain();
  for (const key of runner.running()) if (!key.startsWith(bad)) runner.exit(0, key);
  await failOften(hub);
  expect((await getJob({ ...alice, jobId: good })).status.stage).toBe('COMPLETED');
  const [letter] = await lettersOf(hub);
  expect(letter).toMatchObject({ queue: 'jobs', itemId: bad, kind: 'running', failures: 5 });
  expect((await getJob({ ...alice, jobId: bad })).status.message).toContain('cannot go on');
  await discardDeadLetter({ ...hub.admin, id: letter?.id ?? '' });
  await hub.drain();
  expect((await getJob({ ...alice, jobId: bad })).status).toMatchObject({ stage: 'ERROR' });
  hub.clock.advance(MINUTE);
  await hub.drain();
  expect(runner.running()).toEqual([]);
});

test('a schedule that cannot be launched delays no other', async () => {
  const runner = createTestRunner();
  await using hub = await startHub({}, { runner });
  await hub.people('alice');
  const alice = { ...hub.as('alice'), namespace: 'alice' };
  const bad = await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '@hourly' });
  await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '1 * * * *' });
  await hub.database.transaction((tx) =>
    tx.updateTable('scheduled_jobs').set({ specification: '{' }).where('id', '=', bad.id).execute(),
  );
  hub.clock.advance(HOUR + 2 * MINUTE);
  await hub.drain();
  expect(runner.launched).toHaveLength(1);
  await failOften(hub);
  expect(await lettersOf(hub)).toMatchObject([
    { queue: 'scheduled-jobs', itemId: bad.id, error: 'SyntaxError: a stored text could not be parsed' },
  ]);
});

test('only site administrators see dead letters, retry and discard them', async () => {
  await using hub = await startHub();
  await hub.people('alice');
  const one = { ...hub.as('alice'), id: 'f'.repeat(24) };
  expect(await refusal(collect(listDeadLetters(hub.as('alice'))))).toMatchObject({ status: 403 });
  expect(await refusal(retryDeadLetter(one))).toMatchObject({ status: 403 });
  expect(await refusal(discardDeadLetter(one))).toMatchObject({ status: 403 });
});

/** Starts hub after hub on one database, with all background work and the real clock. */
async function atWork(
  use: (start: (overrides: Omit<Overrides, 'clock'>) => Promise<TestHub>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-poison-'));
  await using database = await createTestDatabase();
  const settings = { ...database.environment, ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }) };
  const clock = { now: () => Date.now(), advance() {} };
  try {
    await use((overrides) => startHub(settings, { background: true, clock, ...overrides }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the milliseconds from a change to its delivery. */
async function delayOf(hub: TestHub, receiver: Receiver, name: string): Promise<number> {
  const startedAt = performance.now();
  await createRepo({ ...hub.as('alice'), repo: `alice/${name}` });
  const came = () => receiver.received.some(({ payload }) => payload.repo.name === `alice/${name}`);
  await expect.poll(came, { interval: 5 }).toBe(true);
  return performance.now() - startedAt;
}

test.each([
  ['throws', () => Promise.reject(new Error('poison'))],
  ['never returns', () => new Promise<undefined>(() => {})],
])('the event after one whose reaction %s does not wait for it, even after a restart', async (_, bad) => {
  await atWork(async (start) => {
    const { reactions, state } = poisonedBy(bad);
    let webhook: Listener;
    {
      await using hub = await start({ reactions });
      await hub.people('alice');
      webhook = await listen(hub, hub.as('alice'), [ALICE]);
      // What waited for the reaction would come after its lease of 10 s; a busy machine delays every delivery.
      const usual = await delayOf(hub, webhook.receiver, 'first');
      await createRepo({ ...hub.as('alice'), repo: 'alice/poison' });
      expect(await delayOf(hub, webhook.receiver, 'next')).toBeLessThan(5000 + 10 * usual);
    }
    {
      await using hub = await start({ reactions });
      const usual = await delayOf(hub, webhook.receiver, 'again');
      await hub.database.transaction((tx) =>
        tx.updateTable('events').set({ due_at: Date.now() }).where('done_at', 'is', null).execute(),
      );
      expect(await delayOf(hub, webhook.receiver, 'and-again')).toBeLessThan(5000 + 10 * usual);
      expect(state.times).toBeGreaterThan(1);
    }
    await webhook[Symbol.asyncDispose]();
  });
});

/** Starts a hub after the third death of a process that had these items in hand. */
async function afterDeaths(
  overrides: Omit<Overrides, 'clock'>,
  before: (hub: TestHub) => Promise<{ readonly queue: QueueName; readonly id: string }>,
  then: (hub: TestHub, id: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-deaths-'));
  await using database = await createTestDatabase();
  const settings = { ...database.environment, ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }) };
  try {
    let inHand: { readonly queue: QueueName; readonly id: string };
    {
      await using hub = await startHub(settings, overrides);
      await hub.people('alice');
      inHand = await before(hub);
      const dead = { id: 'd'.repeat(24), started_at: 0, seen_at: 0 };
      await hub.database.transaction((tx) => tx.insertInto('processes').values(dead).execute());
      await hub.database.transaction((tx) =>
        tx
          .insertInto('suspects')
          .values({ queue: inHand.queue, item_id: inHand.id, deaths: 2, held_by: dead.id })
          .execute(),
      );
    }
    await using hub = await startHub(settings, overrides);
    expect(await lettersOf(hub)).toMatchObject([{ queue: inHand.queue, itemId: inHand.id, failures: 0, deaths: 3 }]);
    await then(hub, inHand.id);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('an item that ended three processes is set aside at the next start, and the others continue', () => {
  test('an event', async () => {
    const seen: string[] = [];
    const reactions: Overrides['reactions'] = () => [
      onTopic(repoTopic, {
        async seen(_tx, { id }) {
          seen.push(id);
          return undefined;
        },
      }),
    ];
    await afterDeaths(
      { reactions },
      async (hub) => {
        await createRepo({ ...hub.as('alice'), repo: 'alice/poison' });
        await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
        const [first] = await hub.database.read
          .selectFrom('events')
          .select('id')
          .where('topic', '=', 'repo')
          .orderBy('id')
          .execute();
        return { queue: 'events', id: first?.id ?? '' };
      },
      async (hub, id) => {
        await hub.drain();
        expect(seen).toHaveLength(1);
        expect(seen).not.toContain(id);
      },
    );
  });

  test('a delivery', async () => {
    const receiver = await startReceiver();
    await afterDeaths(
      {},
      async (hub) => {
        const webhook = { url: receiver.url, watched: [ALICE], domains: ['repo' as const] };
        await createWebhook({ ...hub.as('alice'), webhook });
        await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
        await hub.drain();
        const { id } = await hub.database.transaction((tx) =>
          tx.updateTable('deliveries').set({ status: 'pending' }).returning('id').executeTakeFirstOrThrow(),
        );
        receiver.received.splice(0);
        return { queue: 'deliveries', id };
      },
      async (hub) => {
        await createRepo({ ...hub.as('alice'), repo: 'alice/more-letters' });
        await hub.drain();
        expect(receiver.received.map(({ payload }) => payload.repo.name)).toEqual(['alice/more-letters']);
      },
    );
    await receiver[Symbol.asyncDispose]();
  });

  test('a job', async () => {
    const runner = createTestRunner();
    await afterDeaths(
      { runner },
      async (hub) => {
        const { id } = await runJob({ ...hub.as('alice'), namespace: 'alice', job: JOB });
        await hub.drain();
        return { queue: 'jobs', id };
      },
      async (hub) => {
        await runJob({ ...hub.as('alice'), namespace: 'alice', job: JOB });
        await hub.drain();
        expect(runner.running()).toHaveLength(2);
      },
    );
  });
});

test('a schedule that ended three processes is suspended, and the others are launched', async () => {
  const runner = createTestRunner();
  await afterDeaths(
    { runner },
    async (hub) => {
      const alice = { ...hub.as('alice'), namespace: 'alice' };
      const { id } = await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '@hourly' });
      await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '1 * * * *' });
      await hub.database.transaction((tx) => tx.updateTable('scheduled_jobs').set({ next_run_at: 0 }).execute());
      return { queue: 'scheduled-jobs', id };
    },
    async (hub, id) => {
      await hub.drain();
      expect(runner.launched).toHaveLength(1);
      const rows = await hub.database.read.selectFrom('scheduled_jobs').select(['id', 'next_run_at']).execute();
      expect(rows.find((row) => row.id === id)?.next_run_at).toBeNull();
    },
  );
});

test('a schedule in hand at a crash is launched last, and is cleared when that succeeds', async () => {
  const runner = createTestRunner();
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-suspects-'));
  await using database = await createTestDatabase();
  const settings = { ...database.environment, ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }) };
  let suspect: string;
  {
    await using hub = await startHub(settings, { runner });
    await hub.people('alice');
    const alice = { ...hub.as('alice'), namespace: 'alice' };
    ({ id: suspect } = await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '@hourly' }));
    await createScheduledJob({ ...alice, jobSpec: JOB, schedule: '@hourly' });
    await hub.database.transaction((tx) => tx.updateTable('scheduled_jobs').set({ next_run_at: 0 }).execute());
    const dead = { id: 'd'.repeat(24), started_at: 0, seen_at: 0 };
    await hub.database.transaction((tx) => tx.insertInto('processes').values(dead).execute());
    const row = { queue: 'scheduled-jobs' as const, item_id: suspect, deaths: 1, held_by: dead.id };
    await hub.database.transaction((tx) => tx.insertInto('suspects').values(row).execute());
  }
  await using hub = await startHub(settings, { runner });
  await hub.drain();
  const launched = await hub.database.read.selectFrom('scheduled_jobs').select('id').orderBy('last_job_id').execute();
  expect(runner.launched).toHaveLength(2);
  expect(launched[1]?.id).toBe(suspect);
  const left = await hub.database.read.selectFrom('suspects').select('queue').execute();
  expect(left).not.toContainEqual({ queue: 'scheduled-jobs' });
  await rm(folder, { recursive: true, force: true });
});

test('an item in hand at a crash is processed last and alone, and is cleared when that succeeds', async () => {
  const order: string[] = [];
  const reactions: Overrides['reactions'] = () => [
    onTopic(repoTopic, {
      async seen(_tx, { data }) {
        order.push(data.repo.name.replace('alice/', ''));
        return undefined;
      },
    }),
  ];
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-suspects-'));
  await using database = await createTestDatabase();
  const settings = { ...database.environment, ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }) };
  {
    await using hub = await startHub(settings, { reactions });
    await hub.people('alice');
    for (const name of ['suspect', 'one', 'two']) await createRepo({ ...hub.as('alice'), repo: `alice/${name}` });
    const { read } = hub.database;
    const [first] = await read.selectFrom('events').select('id').where('topic', '=', 'repo').orderBy('id').execute();
    const dead = { id: 'd'.repeat(24), started_at: 0, seen_at: 0 };
    await hub.database.transaction((tx) => tx.insertInto('processes').values(dead).execute());
    const suspect = { queue: 'events' as const, item_id: first?.id ?? '', deaths: -1, held_by: dead.id };
    await hub.database.transaction((tx) => tx.insertInto('suspects').values(suspect).execute());
  }
  await using hub = await startHub(settings, { reactions });
  await hub.drain();
  expect(order).toHaveLength(3);
  expect(order[2]).toBe('suspect');
  expect(await hub.database.read.selectFrom('suspects').selectAll().execute()).toEqual([]);
  expect(await lettersOf(hub)).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

test('a delivery whose lane is leased to a dead process is sent alone, however late the lease ends', async () => {
  const noted: string[][] = [];
  let hub: TestHub | undefined;
  const outbound: Outbound = {
    async post() {
      const rows = await hub?.database.read.selectFrom('suspects').select('queue').execute();
      noted.push((rows ?? []).map(({ queue }) => queue));
      return { kind: 'answered', status: 200, headers: {}, body: '', durationMs: 1 };
    },
    async [Symbol.asyncDispose]() {},
  };
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-leased-'));
  await using database = await createTestDatabase();
  const settings = { ...database.environment, ...(engine === 'sqlite' && { MOONBASE_DATA_DIR: folder }) };
  const clock = createTestClock();
  {
    await using before = await startHub(settings, { outbound, clock });
    await before.people('alice');
    const webhook = { url: 'https://example.com/x', watched: [ALICE], domains: ['repo' as const] };
    await createWebhook({ ...before.as('alice'), webhook });
    await createRepo({ ...before.as('alice'), repo: 'alice/letters' });
    await before.drain();
    const { read } = before.database;
    await before.database.transaction((tx) =>
      tx.updateTable('deliveries').set({ status: 'pending', due_at: clock.now() }).execute(),
    );
    const { lane } = await read.selectFrom('deliveries').select('lane').executeTakeFirstOrThrow();
    const dead = { id: 'd'.repeat(24), started_at: clock.now(), seen_at: clock.now() };
    await before.database.transaction((tx) => tx.insertInto('processes').values(dead).execute());
    const lease = { lane, owner: dead.id, held_until: clock.now() + 10_000 };
    await before.database.transaction((tx) => tx.deleteFrom('lane_leases').execute());
    await before.database.transaction((tx) => tx.insertInto('lane_leases').values(lease).execute());
  }
  noted.splice(0);
  await using after = await startHub(settings, { outbound, clock });
  hub = after;
  for (let time = 0; time < 4; time++) {
    await hub.drain();
    clock.advance(5_000);
  }
  expect(noted).toEqual([['deliveries']]);
  await rm(folder, { recursive: true, force: true });
});
