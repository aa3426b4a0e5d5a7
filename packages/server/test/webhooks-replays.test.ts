import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { cancelReplay, getReplay, replayDeliveries, type WebhookReplay } from '@moonbase/client/webhook-replays';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getDelivery,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR, MINUTE, SECOND } from './clock.ts';
import { type Connection, person, startHub } from './harness.ts';
import { startReceiver } from './receiver.ts';
import { listen, refusal } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);
const UNKNOWN = '0123456789abcdef01234567';
const EIGHT_ATTEMPTS = 40 * HOUR;
const ONE_A_DAY = { MOONBASE_WEBHOOK_DAILY_LIMIT: '1' };

type Filter = Omit<Parameters<typeof replayDeliveries>[0], 'hubUrl' | 'accessToken' | 'fetch' | 'webhookId'>;

/**
 * Starts a hub with alice, who is admin of acme, bob, who reads there, and carol. alice has a webhook on her own
 * property.
 */
async function startFixture(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
  });
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE]);
  const one = { ...alice, webhookId: listener.webhookId };
  const fixture = {
    hub,
    alice,
    bob: hub.as('bob'),
    listener,
    receiver: listener.receiver,
    one,
    /** Creates a repository and delivers its event. */
    async create(repo: string, isPrivate = false) {
      await createRepo({ ...alice, repo, private: isPrivate });
      await hub.drain();
    },
    /**
     * Creates this number of repositories, from alice/r-1000 on. Only the first entry of a day is not throttled, which
     * makes many entries quick to create. Afterwards it is the next day.
     */
    async createMany(count: number) {
      const repos = Array.from({ length: count }, (_, at) => ({
        type: 'model' as const,
        name: `alice/r-${1000 + at}`,
      }));
      await hub.apply({ repos });
      await hub.drain();
      await fixture.pass(25 * HOUR);
      listener.receiver.received.splice(0);
    },
    async replay(filter: Filter = {}): Promise<WebhookReplay> {
      const answer = await replayDeliveries({ ...one, ...filter });
      if ('dryRun' in answer) throw new Error('This was a dry run');
      return answer;
    },
    async wouldReplay(filter: Filter = {}): Promise<number> {
      const answer = await replayDeliveries({ ...one, ...filter, dryRun: true });
      expect(Object.keys(answer).sort()).toEqual(['dryRun', 'matched']);
      return answer.matched;
    },
    progress: ({ id }: { id: string }) => getReplay({ ...one, replayId: id }),
    cancel: ({ id }: { id: string }) => cancelReplay({ ...one, replayId: id }),
    /** Advances the clock in small steps and runs the due work of each. */
    async pass(ms: number, step = ms) {
      for (let passed = 0; passed < ms; passed += step) {
        hub.clock.advance(step);
        await hub.drain();
      }
    },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
  return fixture;
}

type Place = Awaited<ReturnType<typeof startFixture>>;
const replayedRepos = (fixture: Place) => fixture.receiver.received.map(({ payload }) => payload.repo.name);

describe('a replay', () => {
  test('sends matching entries again, oldest first, as new entries that refer to the originals', async () => {
    await using fixture = await startFixture();
    for (const name of ['a', 'b', 'c']) await fixture.create(`alice/${name}`);
    const originals = (await fixture.listener.log()).reverse();
    const sent = fixture.receiver.received.splice(0);
    const { lastTriggerAt } = await fixture.listener.webhook();
    fixture.hub.clock.advance(MINUTE);
    const replay = await fixture.replay();
    expect(replay).toEqual({
      id: ID,
      createdAt: new Date(fixture.hub.clock.now()).toISOString(),
      status: 'running',
      matched: 3,
      replayed: 0,
    });
    expect(await fixture.progress(replay)).toEqual(replay);
    expect(fixture.receiver.received).toEqual([]);
    await fixture.hub.drain();
    expect(await fixture.progress(replay)).toEqual({ ...replay, status: 'done', replayed: 3 });
    const added = (await fixture.listener.log()).reverse().slice(3);
    expect(added).toMatchObject(
      originals.map(({ id, event, repo }) => ({ id: ID, replayOf: id, event, repo, status: 'delivered', attempts: 1 })),
    );
    const texts = (list: typeof sent) => list.map(({ text }) => text).sort();
    expect(texts(fixture.receiver.received)).toEqual(texts(sent));
    expect(new Set(fixture.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(added.map(({ id }) => id)),
    );
    expect((await fixture.listener.webhook()).lastTriggerAt).toBe(lastTriggerAt);
  });

  test('uses the present URL and secret of the webhook', async () => {
    await using fixture = await startFixture();
    await using elsewhere = await startReceiver();
    await fixture.create('alice/a');
    await fixture.replay();
    await updateWebhook({
      ...fixture.one,
      webhook: { url: elsewhere.url, watched: [ALICE], domains: ['repo'], secret: 'new' },
    });
    await fixture.hub.drain();
    expect(elsewhere.received.map(({ headers }) => headers['x-webhook-secret'])).toEqual(['new']);
    expect(elsewhere.received[0]?.text).toBe(fixture.receiver.received[0]?.text);
  });

  test('of an empty log ends at once', async () => {
    await using fixture = await startFixture();
    expect(await fixture.wouldReplay()).toBe(0);
    const replay = await fixture.replay();
    await fixture.hub.drain();
    expect(await fixture.progress(replay)).toMatchObject({ status: 'done', matched: 0, replayed: 0 });
  });

  test('ignores entries that it added itself; the next replay includes them', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(3);
    await fixture.replay();
    await fixture.pass(MINUTE);
    expect(await fixture.listener.log()).toHaveLength(6);
    expect(await fixture.replay()).toMatchObject({ matched: 6 });
    await fixture.pass(MINUTE);
    expect(await fixture.listener.log()).toHaveLength(12);
  });

  test('leaves out pending deliveries, even if they fail or arrive while it runs', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(105);
    fixture.receiver.answer(500);
    await fixture.create('alice/waiting');
    const waiting = await fixture.listener.newest();
    fixture.receiver.answer(200);
    fixture.receiver.received.splice(0);
    fixture.hub.clock.advance(SECOND);
    expect(await fixture.wouldReplay()).toBe(105);
    const replay = await fixture.replay();
    await fixture.hub.drain();
    expect(await fixture.progress(replay)).toMatchObject({ status: 'running', replayed: 100 });
    await fixture.pass(MINUTE);
    expect(await getDelivery({ ...fixture.one, logId: waiting.id })).toMatchObject({
      status: 'delivered',
      attempts: 2,
    });
    expect(await fixture.progress(replay)).toMatchObject({ status: 'done', matched: 105, replayed: 105 });
    expect((await fixture.listener.log()).filter(({ replayOf }) => replayOf === waiting.id)).toEqual([]);
    expect(replayedRepos(fixture).filter((name) => name === 'alice/waiting')).toHaveLength(1);
  });

  test('does not count towards the daily limit, and sends throttled deliveries', async () => {
    await using fixture = await startFixture({ MOONBASE_WEBHOOK_DAILY_LIMIT: '2' });
    for (const name of ['a', 'b', 'c']) await fixture.create(`alice/${name}`);
    expect(await fixture.wouldReplay({ status: 'throttled' })).toBe(1);
    await fixture.replay();
    await fixture.hub.drain();
    expect(await fixture.listener.log({ status: 'delivered' })).toHaveLength(5);
    await fixture.pass(25 * HOUR);
    await fixture.create('alice/d');
    await fixture.create('alice/e');
    expect(await fixture.listener.log({ status: 'throttled' })).toHaveLength(1);
  });
});

describe('the filter', () => {
  /** Creates entries of two repositories, at two times, delivered and failed. */
  async function variety() {
    const fixture = await startFixture({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5' });
    await fixture.create('alice/early');
    fixture.receiver.answer(500);
    await fixture.create('alice/bad');
    await fixture.pass(MINUTE);
    const later = new Date(fixture.hub.clock.now()).toISOString();
    await updateRepoSettings({ ...fixture.alice, type: 'model', repo: 'alice/bad', settings: { private: true } });
    await fixture.hub.drain();
    await fixture.pass(MINUTE);
    fixture.receiver.answer(200);
    await fixture.create('alice/late');
    fixture.hub.clock.advance(SECOND);
    fixture.receiver.received.splice(0);
    return { ...fixture, later };
  }

  test.each<[string, (fixture: { later: string }) => Filter, number]>([
    ['none', () => ({}), 4],
    ['failed', () => ({ status: 'failed' }), 2],
    ['delivered', () => ({ status: 'delivered' }), 2],
    ['a scope', () => ({ scope: 'repo.config' }), 1],
    ['a repository, regardless of case', () => ({ repo: 'ALICE/Bad' }), 2],
    ['from', ({ later }) => ({ from: later }), 2],
    ['to', ({ later }) => ({ to: later }), 3],
    ['several', ({ later }) => ({ from: later, status: 'failed', scope: 'repo.config', repo: 'alice/bad' }), 1],
    ['the year 0', () => ({ from: '0000-01-01T00:00:00Z' }), 4],
    ['a time in the future', () => ({ from: '9999-01-01T00:00:00Z' }), 0],
  ])('%s: a dry run counts what the log lists, changes nothing, and the replay sends the same', async (...given) => {
    const [, filterOf, count] = given;
    await using fixture = await variety();
    const filter = filterOf(fixture);
    const { dryRun: _, ...logFilter } = filter;
    const before = await fixture.listener.log();
    const listed = await fixture.listener.log(logFilter);
    expect(await fixture.wouldReplay(filter)).toBe(count);
    expect(listed).toHaveLength(count);
    await fixture.pass(MINUTE);
    expect(await fixture.listener.log()).toEqual(before);
    expect(fixture.receiver.received).toEqual([]);
    const replay = await fixture.replay(filter);
    await fixture.hub.drain();
    expect(await fixture.progress(replay)).toMatchObject({ status: 'done', matched: count, replayed: count });
    const added = (await fixture.listener.log()).filter(({ id }) => before.every((entry) => entry.id !== id));
    expect(added.map(({ replayOf }) => replayOf)).toEqual(listed.map(({ id }) => id));
  });

  test.each([
    [{ status: 'pending' }, 'body.status'],
    [{ status: 'retrying' }, 'body.status'],
    [{ status: 'lost' }, 'body.status'],
    [{ scope: 'everything' }, 'body.scope'],
    [{ from: 'yesterday' }, 'body.from'],
    [{ to: 5 }, 'body.to'],
    [{ repo: 7 }, 'body.repo'],
    [{ dryRun: 'yes' }, 'body.dryRun'],
  ])('%j is refused, and nothing is sent', async (body, path) => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    const answer = await ask(
      fixture.alice,
      `POST /api/settings/webhooks/${fixture.listener.webhookId}/logs/replay`,
      body,
    );
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
    await fixture.hub.drain();
    expect(fixture.receiver.received).toHaveLength(1);
  });
});

describe('a long replay', () => {
  test('has at most 100 deliveries in the queue, and takes more as they arrive', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(205);
    const replay = await fixture.replay();
    const steps: number[] = [];
    for (let at = 0; at < 3; at++) {
      await fixture.hub.drain();
      steps.push(fixture.receiver.received.length);
      fixture.hub.clock.advance(100);
    }
    expect(steps).toEqual([100, 200, 205]);
    expect(await fixture.progress(replay)).toMatchObject({ status: 'done', matched: 205, replayed: 205 });
    expect(new Set(replayedRepos(fixture)).size).toBe(205);
    const order = (await fixture.listener.log()).slice(0, 205).reverse();
    expect(order.map(({ repo }) => repo.name)).toEqual(Array.from({ length: 205 }, (_, at) => `alice/r-${1000 + at}`));
  });

  test('waits for its retries before it takes more, and does not hold up new deliveries', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(105);
    fixture.receiver.answer(503);
    const replay = await fixture.replay();
    await fixture.hub.drain();
    await fixture.pass(4 * SECOND, SECOND);
    expect(fixture.receiver.received).toHaveLength(100);
    expect(await fixture.progress(replay)).toMatchObject({ status: 'running', matched: 105, replayed: 100 });
    fixture.receiver.answer(200);
    fixture.receiver.received.splice(0);
    await fixture.create('alice/fresh');
    expect(replayedRepos(fixture)).toEqual(['alice/fresh']);
    await fixture.pass(30 * SECOND, 5 * SECOND);
    expect(await fixture.progress(replay)).toMatchObject({ status: 'done', replayed: 105 });
    const recovered = (await fixture.listener.log()).filter(({ replayOf }) => replayOf !== undefined);
    expect(recovered).toHaveLength(105);
    expect(recovered.filter(({ attempts }) => attempts === 2)).toHaveLength(100);
    expect(recovered.every(({ status }) => status === 'delivered')).toBe(true);
  });
});

describe('a delivery of a replay', () => {
  test('is retried by the normal schedule', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    fixture.receiver.answer(500);
    await fixture.replay();
    await fixture.hub.drain();
    expect(await fixture.listener.newest()).toMatchObject({
      status: 'retrying',
      attempts: 1,
      nextAttemptAt: new Date(fixture.hub.clock.now() + 5 * SECOND).toISOString(),
    });
    await fixture.pass(5 * SECOND);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'retrying', attempts: 2 });
    fixture.receiver.answer(200);
    await fixture.pass(5 * MINUTE);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'delivered', attempts: 3 });
    const ids = fixture.receiver.received.slice(1).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test('fails after the last attempt, and a replay of failed entries sends it again', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    fixture.receiver.answer(500);
    await fixture.replay();
    await fixture.hub.drain();
    await fixture.pass(EIGHT_ATTEMPTS, HOUR);
    expect(await fixture.listener.newest()).toMatchObject({ status: 'failed', attempts: 8 });
    fixture.receiver.answer(200);
    expect(await fixture.replay({ status: 'failed' })).toMatchObject({ matched: 1 });
    await fixture.hub.drain();
    expect(await fixture.listener.newest()).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe('a replay ends', () => {
  /** Creates a replay of 105 entries, of which 100 are in the queue and had one attempt. */
  async function halfway(settings: Record<string, string> = {}) {
    const fixture = await startFixture({ ...ONE_A_DAY, ...settings });
    await fixture.createMany(105);
    fixture.receiver.answer(500);
    const replay = await fixture.replay();
    await fixture.hub.drain();
    fixture.receiver.answer(200);
    fixture.receiver.received.splice(0);
    expect(await fixture.progress(replay)).toMatchObject({ status: 'running', replayed: 100 });
    return { ...fixture, running: replay };
  }
  const parked = async (fixture: Place, error: string) => {
    expect(await fixture.listener.log({ status: 'pending' })).toEqual([]);
    const failed = await fixture.listener.log({ status: 'failed' });
    expect(failed).toHaveLength(100);
    expect(new Set(failed.map((entry) => entry.error))).toEqual(new Set([error]));
  };

  test('when it is canceled: its queued deliveries fail, the rest is not sent', async () => {
    await using fixture = await halfway();
    const canceled = { ...fixture.running, status: 'canceled', replayed: 100 };
    expect(await fixture.cancel(fixture.running)).toEqual(canceled);
    await fixture.pass(HOUR, 10 * MINUTE);
    expect(fixture.receiver.received).toEqual([]);
    expect(await fixture.progress(fixture.running)).toEqual(canceled);
    expect(await fixture.cancel(fixture.running)).toEqual(canceled);
    await parked(fixture, 'The replay was canceled; replay this delivery when it is wanted');
    expect(await fixture.replay({ status: 'failed' })).toMatchObject({ matched: 100 });
    await fixture.hub.drain();
    expect(fixture.receiver.received).toHaveLength(100);
  });

  test('when it is canceled before it began', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(3);
    const replay = await fixture.replay();
    expect(await fixture.cancel(replay)).toMatchObject({ status: 'canceled', replayed: 0 });
    await fixture.pass(MINUTE);
    expect(await fixture.listener.log()).toHaveLength(3);
  });

  test('when everything is sent, and then can no longer be canceled', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    fixture.receiver.answer(500);
    const replay = await fixture.replay();
    await fixture.hub.drain();
    expect(await fixture.cancel(replay)).toMatchObject({ status: 'done', replayed: 1 });
    expect(await fixture.listener.newest()).toMatchObject({ status: 'retrying' });
  });

  test('when its webhook is disabled, and does not continue when the webhook is enabled', async () => {
    await using fixture = await halfway();
    await disableWebhook(fixture.one);
    expect(await fixture.progress(fixture.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    await enableWebhook(fixture.one);
    await fixture.pass(HOUR, 10 * MINUTE);
    expect(fixture.receiver.received).toEqual([]);
    expect(await fixture.progress(fixture.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    await parked(fixture, 'The webhook was disabled; replay this delivery when it is wanted');
  });

  test('when its webhook is suspended, even by a 410 to one of its own deliveries', async () => {
    await using fixture = await halfway();
    fixture.receiver.answer(410);
    await fixture.pass(5 * SECOND);
    expect((await fixture.listener.webhook()).disabled).toBe('suspended-after-failure');
    expect(await fixture.progress(fixture.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    fixture.receiver.received.splice(0);
    await fixture.pass(HOUR, 10 * MINUTE);
    expect(fixture.receiver.received).toEqual([]);
    expect(await fixture.listener.log({ status: 'failed' })).toHaveLength(100);
    await enableWebhook(fixture.one);
    await fixture.pass(MINUTE);
    expect(fixture.receiver.received).toEqual([]);
  });

  test('when ten of its deliveries in a row used up their attempts', async () => {
    await using fixture = await halfway({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5,5' });
    fixture.receiver.answer(500);
    await fixture.pass(10 * SECOND, 5 * SECOND);
    expect((await fixture.listener.webhook()).disabled).toBe('suspended-after-failure');
    expect(await fixture.progress(fixture.running)).toMatchObject({ status: 'canceled' });
    expect(await fixture.listener.log({ status: 'pending' })).toEqual([]);
    fixture.receiver.received.splice(0);
    await enableWebhook(fixture.one);
    await fixture.pass(MINUTE);
    expect(fixture.receiver.received).toEqual([]);
  });

  test('when its webhook is deleted: nothing more is sent', async () => {
    await using fixture = await halfway();
    await deleteWebhook(fixture.one);
    expect(await refusal(fixture.progress(fixture.running))).toMatchObject({ status: 404 });
    await fixture.pass(HOUR, 10 * MINUTE);
    expect(fixture.receiver.received).toEqual([]);
  });

  test('when the owner of its webhook is removed', async () => {
    await using fixture = await halfway();
    await fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }] });
    await fixture.hub.apply({ users: [{ name: 'alice', state: 'absent' }] });
    await fixture.pass(HOUR, 10 * MINUTE);
    expect(fixture.receiver.received).toEqual([]);
  });
});

describe('is refused with 409', () => {
  test('a replay of a webhook that is not enabled, but not a dry run', async () => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    await disableWebhook(fixture.one);
    expect(await refusal(fixture.replay())).toMatchObject({
      status: 409,
      message: 'The webhook is disabled; enable it first',
    });
    expect(await fixture.wouldReplay()).toBe(1);
    await enableWebhook(fixture.one);
    fixture.receiver.answer(410);
    await fixture.create('alice/b');
    expect(await refusal(fixture.replay())).toMatchObject({
      status: 409,
      message: 'The webhook is suspended after failures; enable it first',
    });
    await fixture.pass(MINUTE);
    expect(await fixture.listener.log()).toHaveLength(2);
  });

  test('a second replay of a webhook while one is running; another webhook may have its own', async () => {
    await using fixture = await startFixture();
    await using other = await listen(fixture.hub, fixture.alice, [ALICE]);
    await fixture.create('alice/a');
    const replay = await fixture.replay();
    const path = `POST /api/settings/webhooks/${fixture.listener.webhookId}/logs/replay` as const;
    const answer = await ask(fixture.alice, path, {});
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: 'A replay of this webhook is running; wait until it is done, or cancel it', id: replay.id },
    ]);
    expect(await replayDeliveries({ ...fixture.alice, webhookId: other.webhookId })).toMatchObject({ matched: 1 });
    await fixture.hub.drain();
    expect(await fixture.replay()).toMatchObject({ matched: 2 });
  });

  test('all but one of many concurrent requests', async () => {
    await using fixture = await startFixture(ONE_A_DAY);
    await fixture.createMany(2);
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => fixture.replay()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await fixture.hub.drain();
    expect(await fixture.listener.log()).toHaveLength(4);
  });
});

describe('a replay that does not exist, or not for the caller', () => {
  const CALLS: Record<string, (one: Connection & { webhookId: string; replayId: string }) => Promise<unknown>> = {
    replay: (one) => replayDeliveries(one),
    'dry run': (one) => replayDeliveries({ ...one, dryRun: true }),
    progress: getReplay,
    cancel: cancelReplay,
  };

  test.each(Object.entries(CALLS))('%s: a stranger learns nothing', async (_what, call) => {
    await using fixture = await startFixture();
    await fixture.create('alice/a');
    const { id: replayId } = await fixture.replay();
    const refusals = await Promise.all(
      [fixture.listener.webhookId, UNKNOWN, 'nonsense'].map((webhookId) =>
        refusal(call({ ...fixture.bob, webhookId, replayId })),
      ),
    );
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    expect(await getReplay({ ...fixture.one, replayId })).toMatchObject({ status: 'running' });
  });

  test('a replay is found under its webhook only', async () => {
    await using fixture = await startFixture();
    const { webhook } = await createWebhook({
      ...fixture.alice,
      webhook: { url: fixture.receiver.url, watched: [ALICE], domains: ['repo'] },
    });
    const { id } = await fixture.replay();
    const wrong = [
      { ...fixture.one, replayId: UNKNOWN },
      { ...fixture.one, replayId: 'nonsense' },
      { ...fixture.alice, webhookId: webhook.id, replayId: id },
    ];
    for (const params of wrong)
      for (const call of [getReplay, cancelReplay])
        expect(await refusal(call(params))).toMatchObject({
          status: 404,
          message: 'There is no such replay of this webhook',
        });
  });

  test('entries that the owner may no longer read are neither counted nor sent', async () => {
    await using fixture = await startFixture();
    await using listener = await listen(fixture.hub, fixture.bob, [{ type: 'org', name: 'acme' }]);
    const bobs = { ...fixture.bob, webhookId: listener.webhookId };
    const shut = (role: 'read' | 'no_access') =>
      fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role }] }] });
    await fixture.create('acme/secret', true);
    await fixture.create('acme/open');
    listener.receiver.received.splice(0);
    expect(await replayDeliveries({ ...bobs, dryRun: true })).toMatchObject({ matched: 2 });
    await shut('no_access');
    expect(await replayDeliveries({ ...bobs, dryRun: true })).toMatchObject({ matched: 1 });
    await shut('read');
    const replay = await replayDeliveries(bobs);
    if ('dryRun' in replay) throw new Error('This was a dry run');
    await shut('no_access');
    await fixture.hub.drain();
    expect(await getReplay({ ...bobs, replayId: replay.id })).toMatchObject({
      status: 'done',
      matched: 2,
      replayed: 1,
    });
    expect(listener.receiver.received.map(({ payload }) => payload.repo.name)).toEqual(['acme/open']);
  });
});
