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

/** A hub with alice, bob and carol: alice runs acme, bob reads there. Alice has a webhook on her own things. */
async function archive(settings: Record<string, string> = {}) {
  const hub = await startHub(settings);
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }, { user: 'bob' }] }],
  });
  const alice = hub.as('alice');
  const ear = await listen(hub, alice, [ALICE]);
  const one = { ...alice, webhookId: ear.webhookId };
  const place = {
    hub,
    alice,
    bob: hub.as('bob'),
    ear,
    receiver: ear.receiver,
    one,
    /** Makes a repository and lets that be delivered. */
    async create(repo: string, isPrivate = false) {
      await createRepo({ ...alice, repo, private: isPrivate });
      await hub.drain();
    },
    /**
     * Makes so many repositories, called alice/r-1000 and so on: entries that were throttled, but for the first in a
     * day, as that makes many of them quickly. Afterwards it is the next day.
     */
    async createMany(count: number) {
      const repos = Array.from({ length: count }, (_, at) => ({
        type: 'model' as const,
        name: `alice/r-${1000 + at}`,
      }));
      await hub.apply({ repos });
      await hub.drain();
      await place.pass(25 * HOUR);
      ear.receiver.received.splice(0);
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
    /** Lets time go by in small steps, and what is due in each of them happen. */
    async pass(ms: number, step = ms) {
      for (let passed = 0; passed < ms; passed += step) {
        hub.clock.advance(step);
        await hub.drain();
      }
    },
    async [Symbol.asyncDispose]() {
      await ear[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
  return place;
}

type Place = Awaited<ReturnType<typeof archive>>;
const replayedRepos = (place: Place) => place.receiver.received.map(({ payload }) => payload.repo.name);

describe('a replay', () => {
  test('sends what matches once more, oldest first, as new entries that say of which they are', async () => {
    await using place = await archive();
    for (const name of ['a', 'b', 'c']) await place.create(`alice/${name}`);
    const originals = (await place.ear.log()).reverse();
    const sent = place.receiver.received.splice(0);
    const { lastTriggerAt } = await place.ear.webhook();
    place.hub.clock.advance(MINUTE);
    const replay = await place.replay();
    expect(replay).toEqual({
      id: ID,
      createdAt: new Date(place.hub.clock.now()).toISOString(),
      status: 'running',
      matched: 3,
      replayed: 0,
    });
    expect(await place.progress(replay)).toEqual(replay);
    expect(place.receiver.received).toEqual([]);
    await place.hub.drain();
    expect(await place.progress(replay)).toEqual({ ...replay, status: 'done', replayed: 3 });
    const added = (await place.ear.log()).reverse().slice(3);
    expect(added).toMatchObject(
      originals.map(({ id, event, repo }) => ({ id: ID, replayOf: id, event, repo, status: 'delivered', attempts: 1 })),
    );
    const texts = (list: typeof sent) => list.map(({ text }) => text).sort();
    expect(texts(place.receiver.received)).toEqual(texts(sent));
    expect(new Set(place.receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(added.map(({ id }) => id)),
    );
    expect((await place.ear.webhook()).lastTriggerAt).toBe(lastTriggerAt);
  });

  test('goes to the URL that the webhook has now, with the secret that it has now', async () => {
    await using place = await archive();
    await using elsewhere = await startReceiver();
    await place.create('alice/a');
    await place.replay();
    await updateWebhook({
      ...place.one,
      webhook: { url: elsewhere.url, watched: [ALICE], domains: ['repo'], secret: 'new' },
    });
    await place.hub.drain();
    expect(elsewhere.received.map(({ headers }) => headers['x-webhook-secret'])).toEqual(['new']);
    expect(elsewhere.received[0]?.text).toBe(place.receiver.received[0]?.text);
  });

  test('of a log without entries is done with none', async () => {
    await using place = await archive();
    expect(await place.wouldReplay()).toBe(0);
    const replay = await place.replay();
    await place.hub.drain();
    expect(await place.progress(replay)).toMatchObject({ status: 'done', matched: 0, replayed: 0 });
  });

  test('never takes up what it added itself; the next one does', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(3);
    await place.replay();
    await place.pass(MINUTE);
    expect(await place.ear.log()).toHaveLength(6);
    expect(await place.replay()).toMatchObject({ matched: 6 });
    await place.pass(MINUTE);
    expect(await place.ear.log()).toHaveLength(12);
  });

  test('leaves out what is pending, also when that fails or arrives while it runs', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(105);
    place.receiver.answer(500);
    await place.create('alice/waiting');
    const waiting = await place.ear.newest();
    place.receiver.answer(200);
    place.receiver.received.splice(0);
    place.hub.clock.advance(SECOND);
    expect(await place.wouldReplay()).toBe(105);
    const replay = await place.replay();
    await place.hub.drain();
    expect(await place.progress(replay)).toMatchObject({ status: 'running', replayed: 100 });
    await place.pass(MINUTE);
    expect(await getDelivery({ ...place.one, logId: waiting.id })).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(await place.progress(replay)).toMatchObject({ status: 'done', matched: 105, replayed: 105 });
    expect((await place.ear.log()).filter(({ replayOf }) => replayOf === waiting.id)).toEqual([]);
    expect(replayedRepos(place).filter((name) => name === 'alice/waiting')).toHaveLength(1);
  });

  test('is no trigger: it does not count to the daily limit, and brings what was throttled', async () => {
    await using place = await archive({ MOONBASE_WEBHOOK_DAILY_LIMIT: '2' });
    for (const name of ['a', 'b', 'c']) await place.create(`alice/${name}`);
    expect(await place.wouldReplay({ status: 'throttled' })).toBe(1);
    await place.replay();
    await place.hub.drain();
    expect(await place.ear.log({ status: 'delivered' })).toHaveLength(5);
    await place.pass(25 * HOUR);
    await place.create('alice/d');
    await place.create('alice/e');
    expect(await place.ear.log({ status: 'throttled' })).toHaveLength(1);
  });
});

describe('the filter', () => {
  /** Entries of two repositories, at two times, delivered and failed. */
  async function variety() {
    const place = await archive({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5' });
    await place.create('alice/early');
    place.receiver.answer(500);
    await place.create('alice/bad');
    await place.pass(MINUTE);
    const later = new Date(place.hub.clock.now()).toISOString();
    await updateRepoSettings({ ...place.alice, type: 'model', repo: 'alice/bad', settings: { private: true } });
    await place.hub.drain();
    await place.pass(MINUTE);
    place.receiver.answer(200);
    await place.create('alice/late');
    place.hub.clock.advance(SECOND);
    place.receiver.received.splice(0);
    return { ...place, later };
  }

  test.each<[string, (place: { later: string }) => Filter, number]>([
    ['none', () => ({}), 4],
    ['failed', () => ({ status: 'failed' }), 2],
    ['delivered', () => ({ status: 'delivered' }), 2],
    ['a scope', () => ({ scope: 'repo.config' }), 1],
    ['a repository, regardless of case', () => ({ repo: 'ALICE/Bad' }), 2],
    ['from', ({ later }) => ({ from: later }), 2],
    ['to', ({ later }) => ({ to: later }), 3],
    ['several', ({ later }) => ({ from: later, status: 'failed', scope: 'repo.config', repo: 'alice/bad' }), 1],
    ['a time before all time', () => ({ from: '0000-01-01T00:00:00Z' }), 4],
    ['a time to come', () => ({ from: '9999-01-01T00:00:00Z' }), 0],
  ])('%s: a dry run counts what the log lists, changes nothing, and the replay sends the same', async (...given) => {
    const [, filterOf, count] = given;
    await using place = await variety();
    const filter = filterOf(place);
    const { dryRun: _, ...logFilter } = filter;
    const before = await place.ear.log();
    const listed = await place.ear.log(logFilter);
    expect(await place.wouldReplay(filter)).toBe(count);
    expect(listed).toHaveLength(count);
    await place.pass(MINUTE);
    expect(await place.ear.log()).toEqual(before);
    expect(place.receiver.received).toEqual([]);
    const replay = await place.replay(filter);
    await place.hub.drain();
    expect(await place.progress(replay)).toMatchObject({ status: 'done', matched: count, replayed: count });
    const added = (await place.ear.log()).filter(({ id }) => before.every((entry) => entry.id !== id));
    expect(added.map(({ replayOf }) => replayOf)).toEqual(listed.map(({ id }) => id));
  });

  test.each([
    [{ status: 'pending' }, 'body.status'],
    [{ status: 'lost' }, 'body.status'],
    [{ scope: 'everything' }, 'body.scope'],
    [{ from: 'yesterday' }, 'body.from'],
    [{ to: 5 }, 'body.to'],
    [{ repo: 7 }, 'body.repo'],
    [{ dryRun: 'yes' }, 'body.dryRun'],
  ])('%j is refused, and nothing is sent', async (body, path) => {
    await using place = await archive();
    await place.create('alice/a');
    const answer = await ask(place.alice, `POST /api/settings/webhooks/${place.ear.webhookId}/logs/replay`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path }] });
    await place.hub.drain();
    expect(place.receiver.received).toHaveLength(1);
  });
});

describe('a long replay', () => {
  test('has at most 100 deliveries in the queue, and takes more as they arrive', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(205);
    const replay = await place.replay();
    const steps: number[] = [];
    for (let at = 0; at < 3; at++) {
      await place.hub.drain();
      steps.push(place.receiver.received.length);
      place.hub.clock.advance(100);
    }
    expect(steps).toEqual([100, 200, 205]);
    expect(await place.progress(replay)).toMatchObject({ status: 'done', matched: 205, replayed: 205 });
    expect(new Set(replayedRepos(place)).size).toBe(205);
    const order = (await place.ear.log()).slice(0, 205).reverse();
    expect(order.map(({ repo }) => repo.name)).toEqual(Array.from({ length: 205 }, (_, at) => `alice/r-${1000 + at}`));
  }, 20_000);

  test('waits for its retries before it takes more, and does not hold up what is fresh', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(105);
    place.receiver.answer(503);
    const replay = await place.replay();
    await place.hub.drain();
    await place.pass(4 * SECOND, SECOND);
    expect(place.receiver.received).toHaveLength(100);
    expect(await place.progress(replay)).toMatchObject({ status: 'running', matched: 105, replayed: 100 });
    place.receiver.answer(200);
    place.receiver.received.splice(0);
    await place.create('alice/fresh');
    expect(replayedRepos(place)).toEqual(['alice/fresh']);
    await place.pass(30 * SECOND, 5 * SECOND);
    expect(await place.progress(replay)).toMatchObject({ status: 'done', replayed: 105 });
    const recovered = (await place.ear.log()).filter(({ replayOf }) => replayOf !== undefined);
    expect(recovered).toHaveLength(105);
    expect(recovered.filter(({ attempts }) => attempts === 2)).toHaveLength(100);
    expect(recovered.every(({ status }) => status === 'delivered')).toBe(true);
  }, 20_000);
});

describe('what a replay sends', () => {
  test('is tried again by the normal schedule', async () => {
    await using place = await archive();
    await place.create('alice/a');
    place.receiver.answer(500);
    await place.replay();
    await place.hub.drain();
    expect(await place.ear.newest()).toMatchObject({
      status: 'pending',
      attempts: 1,
      nextAttemptAt: new Date(place.hub.clock.now() + 5 * SECOND).toISOString(),
    });
    await place.pass(5 * SECOND);
    expect(await place.ear.newest()).toMatchObject({ status: 'pending', attempts: 2 });
    place.receiver.answer(200);
    await place.pass(5 * MINUTE);
    expect(await place.ear.newest()).toMatchObject({ status: 'delivered', attempts: 3 });
    const ids = place.receiver.received.slice(1).map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test('fails after the last attempt, and a replay of what failed brings it', async () => {
    await using place = await archive();
    await place.create('alice/a');
    place.receiver.answer(500);
    await place.replay();
    await place.hub.drain();
    await place.pass(EIGHT_ATTEMPTS, HOUR);
    expect(await place.ear.newest()).toMatchObject({ status: 'failed', attempts: 8 });
    place.receiver.answer(200);
    expect(await place.replay({ status: 'failed' })).toMatchObject({ matched: 1 });
    await place.hub.drain();
    expect(await place.ear.newest()).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe('a replay ends', () => {
  /** A replay of 105 entries, of which 100 are in the queue and were tried once. */
  async function halfway(settings: Record<string, string> = {}) {
    const place = await archive({ ...ONE_A_DAY, ...settings });
    await place.createMany(105);
    place.receiver.answer(500);
    const replay = await place.replay();
    await place.hub.drain();
    place.receiver.answer(200);
    place.receiver.received.splice(0);
    expect(await place.progress(replay)).toMatchObject({ status: 'running', replayed: 100 });
    return { ...place, running: replay };
  }
  const parked = async (place: Place, error: string) => {
    expect(await place.ear.log({ status: 'pending' })).toEqual([]);
    const failed = await place.ear.log({ status: 'failed' });
    expect(failed).toHaveLength(100);
    expect(new Set(failed.map((entry) => entry.error))).toEqual(new Set([error]));
  };

  test('when it is canceled: what it has in the queue is ended, the rest is not sent', async () => {
    await using place = await halfway();
    const canceled = { ...place.running, status: 'canceled', replayed: 100 };
    expect(await place.cancel(place.running)).toEqual(canceled);
    await place.pass(HOUR, 10 * MINUTE);
    expect(place.receiver.received).toEqual([]);
    expect(await place.progress(place.running)).toEqual(canceled);
    expect(await place.cancel(place.running)).toEqual(canceled);
    await parked(place, 'The replay was canceled; replay this delivery when it is wanted');
    expect(await place.replay({ status: 'failed' })).toMatchObject({ matched: 100 });
    await place.hub.drain();
    expect(place.receiver.received).toHaveLength(100);
  }, 20_000);

  test('when it is canceled before it began', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(3);
    const replay = await place.replay();
    expect(await place.cancel(replay)).toMatchObject({ status: 'canceled', replayed: 0 });
    await place.pass(MINUTE);
    expect(await place.ear.log()).toHaveLength(3);
  });

  test('by being done, and then cannot be canceled any more', async () => {
    await using place = await archive();
    await place.create('alice/a');
    place.receiver.answer(500);
    const replay = await place.replay();
    await place.hub.drain();
    expect(await place.cancel(replay)).toMatchObject({ status: 'done', replayed: 1 });
    expect(await place.ear.newest()).toMatchObject({ status: 'pending' });
  });

  test('when its webhook is disabled, and does not go on when that is enabled', async () => {
    await using place = await halfway();
    await disableWebhook(place.one);
    expect(await place.progress(place.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    await enableWebhook(place.one);
    await place.pass(HOUR, 10 * MINUTE);
    expect(place.receiver.received).toEqual([]);
    expect(await place.progress(place.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    await parked(place, 'The webhook was disabled; replay this delivery when it is wanted');
  });

  test('when its webhook is suspended: a 410 to one of its deliveries does that, too', async () => {
    await using place = await halfway();
    place.receiver.answer(410);
    await place.pass(5 * SECOND);
    expect((await place.ear.webhook()).disabled).toBe('suspended-after-failure');
    expect(await place.progress(place.running)).toMatchObject({ status: 'canceled', replayed: 100 });
    place.receiver.received.splice(0);
    await place.pass(HOUR, 10 * MINUTE);
    expect(place.receiver.received).toEqual([]);
    expect(await place.ear.log({ status: 'failed' })).toHaveLength(100);
    await enableWebhook(place.one);
    await place.pass(MINUTE);
    expect(place.receiver.received).toEqual([]);
  });

  test('when ten of its deliveries in a row used up their attempts', async () => {
    await using place = await halfway({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '5,5' });
    place.receiver.answer(500);
    await place.pass(10 * SECOND, 5 * SECOND);
    expect((await place.ear.webhook()).disabled).toBe('suspended-after-failure');
    expect(await place.progress(place.running)).toMatchObject({ status: 'canceled' });
    expect(await place.ear.log({ status: 'pending' })).toEqual([]);
    place.receiver.received.splice(0);
    await enableWebhook(place.one);
    await place.pass(MINUTE);
    expect(place.receiver.received).toEqual([]);
  });

  test('when its webhook is deleted: nothing more is sent', async () => {
    await using place = await halfway();
    await deleteWebhook(place.one);
    expect(await refusal(place.progress(place.running))).toMatchObject({ status: 404 });
    await place.pass(HOUR, 10 * MINUTE);
    expect(place.receiver.received).toEqual([]);
  });

  test('when the owner of its webhook is removed', async () => {
    await using place = await halfway();
    await place.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }] });
    await place.hub.apply({ users: [{ name: 'alice', state: 'absent' }] });
    await place.pass(HOUR, 10 * MINUTE);
    expect(place.receiver.received).toEqual([]);
  });
});

describe('is refused with 409', () => {
  test('a replay of a webhook that is not enabled; counting is not', async () => {
    await using place = await archive();
    await place.create('alice/a');
    await disableWebhook(place.one);
    expect(await refusal(place.replay())).toMatchObject({
      status: 409,
      message: 'The webhook is disabled; enable it first',
    });
    expect(await place.wouldReplay()).toBe(1);
    await enableWebhook(place.one);
    place.receiver.answer(410);
    await place.create('alice/b');
    expect(await refusal(place.replay())).toMatchObject({
      status: 409,
      message: 'The webhook is suspended after failures; enable it first',
    });
    await place.pass(MINUTE);
    expect(await place.ear.log()).toHaveLength(2);
  });

  test('a second replay of a webhook while one is running; another webhook may have its own', async () => {
    await using place = await archive();
    await using other = await listen(place.hub, place.alice, [ALICE]);
    await place.create('alice/a');
    const replay = await place.replay();
    const path = `POST /api/settings/webhooks/${place.ear.webhookId}/logs/replay` as const;
    const answer = await ask(place.alice, path, {});
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: 'A replay of this webhook is running; wait until it is done, or cancel it', id: replay.id },
    ]);
    expect(await replayDeliveries({ ...place.alice, webhookId: other.webhookId })).toMatchObject({ matched: 1 });
    await place.hub.drain();
    expect(await place.replay()).toMatchObject({ matched: 2 });
  });

  test('all but one of many that are asked for at once', async () => {
    await using place = await archive(ONE_A_DAY);
    await place.createMany(2);
    const answers = await Promise.allSettled(Array.from({ length: 5 }, () => place.replay()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await place.hub.drain();
    expect(await place.ear.log()).toHaveLength(4);
  });
});

describe('what is not there, or not for the caller', () => {
  const CALLS: Record<string, (one: Connection & { webhookId: string; replayId: string }) => Promise<unknown>> = {
    replay: (one) => replayDeliveries(one),
    'dry run': (one) => replayDeliveries({ ...one, dryRun: true }),
    progress: getReplay,
    cancel: cancelReplay,
  };

  test.each(Object.entries(CALLS))('%s: a stranger learns nothing', async (_what, call) => {
    await using place = await archive();
    await place.create('alice/a');
    const { id: replayId } = await place.replay();
    const refusals = await Promise.all(
      [place.ear.webhookId, UNKNOWN, 'nonsense'].map((webhookId) =>
        refusal(call({ ...place.bob, webhookId, replayId })),
      ),
    );
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
    expect(await getReplay({ ...place.one, replayId })).toMatchObject({ status: 'running' });
  });

  test('a replay is found under its webhook only', async () => {
    await using place = await archive();
    const { webhook } = await createWebhook({
      ...place.alice,
      webhook: { url: place.receiver.url, watched: [ALICE], domains: ['repo'] },
    });
    const { id } = await place.replay();
    const wrong = [
      { ...place.one, replayId: UNKNOWN },
      { ...place.one, replayId: 'nonsense' },
      { ...place.alice, webhookId: webhook.id, replayId: id },
    ];
    for (const params of wrong)
      for (const call of [getReplay, cancelReplay])
        expect(await refusal(call(params))).toMatchObject({
          status: 404,
          message: 'There is no such replay of this webhook',
        });
  });

  test('entries that the owner may no longer read neither count nor go out, whenever that was', async () => {
    await using place = await archive();
    await using ear = await listen(place.hub, place.bob, [{ type: 'org', name: 'acme' }]);
    const bobs = { ...place.bob, webhookId: ear.webhookId };
    const shut = (role: 'read' | 'no_access') =>
      place.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role }] }] });
    await place.create('acme/secret', true);
    await place.create('acme/open');
    ear.receiver.received.splice(0);
    expect(await replayDeliveries({ ...bobs, dryRun: true })).toMatchObject({ matched: 2 });
    await shut('no_access');
    expect(await replayDeliveries({ ...bobs, dryRun: true })).toMatchObject({ matched: 1 });
    await shut('read');
    const replay = await replayDeliveries(bobs);
    if ('dryRun' in replay) throw new Error('This was a dry run');
    await shut('no_access');
    await place.hub.drain();
    expect(await getReplay({ ...bobs, replayId: replay.id })).toMatchObject({
      status: 'done',
      matched: 2,
      replayed: 1,
    });
    expect(ear.receiver.received.map(({ payload }) => payload.repo.name)).toEqual(['acme/open']);
  });
});
