import { createDiscussion } from '@moonbase/client/discussions';
import { HubApiError } from '@moonbase/client/errors';
import { updateOrganization } from '@moonbase/client/organizations';
import { createBranch, createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { disableUser, enableUser } from '@moonbase/client/users';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  updateWebhook,
} from '@moonbase/client/webhooks';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginChange, changeWebhook } from '../src/webhooks/subscriptions/history.ts';
import { lockWebhookById } from '../src/webhooks/subscriptions/store.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { HEARS } from './outbound-hears.ts';

/**
 * Two hubs run the same story. One fans out every event at once; the other holds back its relay and drains at random
 * moments. Each webhook must get the same events in both.
 */

const WEBHOOKS = 3;
const RUNS = 8;
const names = fc.constantFrom('u', 'o').chain((owner) => fc.constantFrom('x', 'y').map((repo) => ({ owner, repo })));
const which = fc.nat(WEBHOOKS - 1);
const target = fc.record({
  watched: fc.uniqueArray(fc.constantFrom('u', 'o', 'p', 'u/x', 'u/y', 'o/x', 'o/y', 'p/x'), {
    minLength: 1,
    maxLength: 3,
  }),
  domains: fc.constantFrom(['repo'] as const, ['discussion'] as const, ['repo', 'discussion'] as const),
});

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('branch'), at: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('discussion'), at: names }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create'), at: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete'), at: names }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move'), at: names, to: names }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename organization') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('webhook'), webhook: which, target }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('enable'), webhook: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('disable', 'suspend'), webhook: which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove webhook'), webhook: which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('disable owner', 'enable owner') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('drain'), shuffled: fc.nat(99) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let prompt: TestHub;
let late: TestHub;
beforeAll(async () => {
  [prompt, late] = await Promise.all([startHub({}, { outbound: HEARS }), startHub({}, { outbound: HEARS })]);
});
afterAll(async () => {
  await prompt[Symbol.asyncDispose]();
  await late[Symbol.asyncDispose]();
});

let runs = 0;

/** Opens a user and an organization for one story on one hub, where another user works, too. */
async function openStory(hub: TestHub, run: number) {
  const user = `u${run}`;
  const colleague = `v${run}`;
  let [name, unused] = [`o${run}`, `p${run}`];
  await hub.apply({
    users: [person(user), person(colleague)],
    organizations: [
      {
        name,
        members: [
          { user, role: 'admin' },
          { user: colleague, role: 'admin' },
        ],
      },
    ],
  });
  await hub.drain();
  const me = hub.as(user);
  const other = hub.as(colleague);
  const { read } = hub.database;
  const webhooks: (string | undefined)[] = Array.from({ length: WEBHOOKS });
  const first = (await read.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ?? '';
  let branches = 0;

  const inFull = (short: string) =>
    short.replace(/^[uop]/, (owner) => ({ u: user, o: `o${run}`, p: `p${run}` })[owner] ?? '');
  const nameAt = ({ owner, repo }: { owner: string; repo: string }) => `${owner === 'u' ? user : name}/${repo}`;
  const input = ({ watched, domains }: { watched: string[]; domains: readonly ('repo' | 'discussion')[] }) => ({
    url: 'https://example.com/hook',
    domains: [...domains],
    watched: watched.map((short) => {
      const account = short.startsWith('u') ? ('user' as const) : ('org' as const);
      return { type: short.includes('/') ? ('model' as const) : account, name: inFull(short) };
    }),
  });

  async function take(one: Step): Promise<unknown> {
    const webhookId = 'webhook' in one ? webhooks[one.webhook] : undefined;
    const repo = 'at' in one ? nameAt(one.at) : '';
    const actor = 'at' in one && one.at.owner === 'u' ? me : other;
    const type = 'model' as const;
    switch (one.kind) {
      case 'branch':
        branches += 1;
        return createBranch({ ...actor, type, repo, branch: `b${branches}` });
      case 'discussion':
        return createDiscussion({ ...actor, type, repo, title: 'Why?', description: 'Because.' });
      case 'create':
        return createRepo({ ...actor, repo });
      case 'delete':
        return deleteRepo({ ...actor, repo });
      case 'move':
        return 'to' in one && moveRepo({ ...me, from: repo, to: nameAt(one.to) });
      case 'rename organization':
        await updateOrganization({ ...other, name, change: { name: unused } });
        [name, unused] = [unused, name];
        return undefined;
      case 'webhook': {
        if (!('target' in one)) return undefined;
        const webhook = input(one.target);
        if (webhookId) return updateWebhook({ ...me, webhookId, webhook });
        webhooks[one.webhook] = (await createWebhook({ ...me, webhook })).webhook.id;
        return undefined;
      }
      case 'enable':
        return webhookId && enableWebhook({ ...me, webhookId });
      case 'disable':
        return webhookId && disableWebhook({ ...me, webhookId });
      case 'suspend':
        return (
          webhookId &&
          hub.database.transaction(async (tx) => {
            const webhook = await lockWebhookById(tx, webhookId);
            if (webhook?.state === 'enabled')
              await changeWebhook(tx, webhook, { state: 'suspended' }, beginChange(tx, hub.clock.now()));
          })
        );
      case 'remove webhook':
        webhooks['webhook' in one ? one.webhook : 0] = undefined;
        return webhookId && deleteWebhook({ ...me, webhookId });
      case 'disable owner':
        return disableUser({ ...hub.admin, username: user });
      case 'enable owner':
        return enableUser({ ...hub.admin, username: user });
      case 'drain':
        return undefined;
    }
  }

  const events = async () =>
    (
      await read
        .selectFrom('events')
        .select('id')
        .where('topic', 'in', ['repo', 'discussion'])
        .where('id', '>', first)
        .orderBy('id')
        .execute()
    ).map(({ id }) => id);

  return {
    events,
    /**
     * Fans out the waiting events in another order, except for those that give names; the seed 0 keeps the order of
     * events.
     */
    async shuffle(seed: number) {
      if (seed === 0) return;
      const waiting = await read
        .selectFrom('events')
        .select(['id', 'topic', 'data'])
        .where('done_at', 'is', null)
        .orderBy('id')
        .execute();
      for (const [at, { id, topic, data }] of waiting.entries()) {
        const { scope, action } = JSON.parse(data) as { scope?: string; action?: string };
        const givesName = topic === 'account' || (scope === 'repo' && action !== 'delete');
        const ago = givesName ? 50 : ((at + 1) * (seed * 2 + 1) * 7919) % 101;
        const due_at = hub.clock.now() - ago;
        await hub.database.transaction((tx) => tx.updateTable('events').set({ due_at }).where('id', '=', id).execute());
      }
    },
    /** Takes a step; returns the status of a refusal, which the story ignores. */
    step: (one: Step): Promise<number> =>
      take(one).then(
        () => 200,
        (error: unknown) => {
          if (error instanceof HubApiError) return error.status;
          throw error;
        },
      ),
    webhookAt: (at: number) => webhooks[at],
    /** Returns the events of each remaining webhook: the number of the event, and the outcome of the delivery. */
    async payloads() {
      await enableUser({ ...hub.admin, username: user });
      const numberOf = new Map((await events()).map((id, at) => [id, at]));
      return Promise.all(
        webhooks.map(async (webhookId) => {
          if (webhookId === undefined) return undefined;
          const log = await read.selectFrom('deliveries').selectAll().where('webhook_id', '=', webhookId).execute();
          const { lastTriggerAt } = (await getWebhook({ ...me, webhookId })).webhook;
          const entries = log.map((row) => ({ event: numberOf.get(row.event_id) ?? -1, status: row.status }));
          return { lastTriggerAt, entries: entries.sort((a, b) => a.event - b.event) };
        }),
      );
    },
  };
}

/** Runs a story on both hubs; returns the actual and the expected events of each webhook on the late hub. */
async function live(steps: readonly Step[], inOrder: boolean) {
  runs += 1;
  const [now, later] = [await openStory(prompt, runs), await openStory(late, runs)];
  /** The steps at which webhooks changed and events occurred. */
  const stops: { webhook: string | undefined; at: number }[] = [];
  const drains: number[] = [];
  const happened: number[] = [];
  for (const [at, one] of steps.entries()) {
    prompt.clock.advance(7);
    late.clock.advance(7);
    expect(await later.step(one)).toBe(await now.step(one));
    await prompt.drain();
    for (const count = (await now.events()).length; happened.length < count; ) happened.push(at);
    if (one.kind === 'disable' || one.kind === 'suspend')
      stops.push({ webhook: 'webhook' in one ? later.webhookAt(one.webhook) : undefined, at });
    if (one.kind === 'disable owner')
      for (let each = 0; each < WEBHOOKS; each++) stops.push({ webhook: later.webhookAt(each), at });
    if (one.kind !== 'drain') continue;
    if (!inOrder && 'shuffled' in one) await later.shuffle(one.shuffled);
    await late.drain();
    drains.push(at);
  }
  await late.drain();
  const received = await now.payloads();
  const expected = received.map(
    (webhook, index) =>
      webhook && {
        ...webhook,
        entries: webhook.entries.map(({ event }) => {
          const from = happened[event] ?? 0;
          const until = drains.find((drain) => drain > from) ?? steps.length;
          const stopped = stops.some(
            (stop) => stop.webhook === later.webhookAt(index) && stop.at > from && stop.at < until,
          );
          return { event, status: stopped ? 'failed' : 'delivered' };
        }),
      },
  );
  return { got: await later.payloads(), expected };
}

const stories = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });

test('each webhook gets the events that it watched when they happened, however late they are handled', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (steps) => {
      const { got, expected } = await live(steps, true);
      expect(got).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

// A webhook may get additional events, which a prompt fan-out would not have matched yet.
test('no webhook misses an event that it watched when it happened, in whatever order events without new names are handled', async () => {
  await fc.assert(
    fc.asyncProperty(stories, async (steps) => {
      const { got, expected } = await live(steps, false);
      for (const [at, webhook] of expected.entries())
        expect(got[at]?.entries ?? []).toEqual(expect.arrayContaining(webhook?.entries ?? []));
    }),
    { numRuns: RUNS },
  );
});
