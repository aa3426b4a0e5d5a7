import { listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { createIds } from '../../packages/server/src/platform/ids.ts';
import { HOUR } from '../../packages/server/test/clock.ts';
import { type Connection, collect, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { startReceiver } from '../../packages/server/test/receiver.ts';

/** Events that wait when a webhook is made, enabled, changed, disabled or deleted. */
const BACKLOG = 200;

const ALICE = { type: 'user', name: 'alice' } as const;

let hub: TestHub;
let alice: Connection;

beforeEach(async () => {
  hub = await startHub();
  await hub.people('alice');
  alice = hub.as('alice');
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  return () => hub[Symbol.asyncDispose]();
});

const webhookOn = async (url: string, owner = alice): Promise<string> =>
  (await createWebhook({ ...owner, webhook: { url, watched: [ALICE], domains: ['repo'] } })).webhook.id;

/** A branch is made, and its event stands for as many as are asked for: rows of their own, none of them fanned out. */
async function happen(branch: string, times = BACKLOG): Promise<void> {
  await createBranch({ ...alice, type: 'model', repo: 'alice/letters', branch });
  const { executor } = hub.database;
  const event = await executor
    .selectFrom('events')
    .selectAll()
    .where('data', 'like', `%refs/heads/${branch}"%`)
    .executeTakeFirstOrThrow();
  const ids = createIds(hub.clock);
  const copies = Array.from({ length: times - 1 }, () => ({ ...event, id: ids() }));
  for (let from = 0; from < copies.length; from += 500)
    await executor
      .insertInto('events')
      .values(copies.slice(from, from + 500))
      .execute();
}

/** What the log of a webhook holds: how many entries of each status. */
async function logOf(webhookId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from deliveries where webhook_id = ${webhookId} group by status`.execute(
    hub.database.executor,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

test('a webhook made after the events of a backlog gets none of them', async () => {
  await using receiver = await startReceiver();
  await happen('before');
  const webhookId = await webhookOn(receiver.url);
  await hub.drain();
  expect(receiver.received).toHaveLength(0);
  expect(await logOf(webhookId)).toEqual({});
  expect((await getWebhook({ ...alice, webhookId })).webhook).not.toHaveProperty('lastTriggerAt');
});

test('a webhook enabled after the events of a backlog gets none of the time when it was disabled', async () => {
  await using receiver = await startReceiver();
  const webhookId = await webhookOn(receiver.url);
  await disableWebhook({ ...alice, webhookId });
  await happen('while-disabled');
  await enableWebhook({ ...alice, webhookId });
  await happen('after', 3);
  await hub.drain();
  expect(receiver.received.map(({ payload }) => payload.updatedRefs?.[0]?.ref)).toEqual(
    Array.from({ length: 3 }, () => 'refs/heads/after'),
  );
  expect(await logOf(webhookId)).toEqual({ delivered: 3 });
});

test('every event from before a disabling is in the log as parked, also where the webhook is enabled again', async () => {
  await using receiver = await startReceiver();
  const disabled = await webhookOn(receiver.url);
  const enabledAgain = await webhookOn(receiver.url);
  await happen('before');
  for (const webhookId of [disabled, enabledAgain]) await disableWebhook({ ...alice, webhookId });
  await enableWebhook({ ...alice, webhookId: enabledAgain });
  await hub.drain();
  expect(receiver.received).toHaveLength(0);
  expect(await logOf(disabled)).toEqual({ failed: BACKLOG });
  expect(await logOf(enabledAgain)).toEqual({ failed: BACKLOG });
});

test('a webhook that is changed while events wait gets those that it asked for when they happened', async () => {
  await using receiver = await startReceiver();
  const change = { domains: ['repo' as const], watched: [{ type: 'user' as const, name: 'bob' }] };
  const webhookId = await webhookOn(receiver.url);
  await happen('asked-for', 5);
  await updateWebhook({ ...alice, webhookId, webhook: change });
  await happen('not-asked-for', 5);
  await updateWebhook({ ...alice, webhookId, webhook: { ...change, watched: [ALICE], domains: ['discussion'] } });
  await happen('of-another-domain', 5);
  await hub.drain();
  expect(new Set(receiver.received.map(({ payload }) => payload.updatedRefs?.[0]?.ref))).toEqual(
    new Set(['refs/heads/asked-for']),
  );
  expect(await logOf(webhookId)).toEqual({ delivered: 5 });
});

test('a webhook that is deleted while events wait leaves nothing behind', async () => {
  await using receiver = await startReceiver();
  const webhookId = await webhookOn(receiver.url);
  await happen('before', 100);
  await disableWebhook({ ...alice, webhookId });
  await enableWebhook({ ...alice, webhookId });
  await deleteWebhook({ ...alice, webhookId });
  await hub.drain();
  expect(receiver.received).toHaveLength(0);
  for (const table of ['webhooks', 'webhook_watched', 'webhook_versions', 'deliveries'] as const)
    expect(await hub.database.executor.selectFrom(table).selectAll().execute()).toEqual([]);
});

test('toggling and changing a webhook over and over keeps nothing that no event needs', async () => {
  const webhookId = await webhookOn('https://example.com/hook');
  const webhook = { domains: ['repo' as const] };
  const kept = async () => {
    const { executor } = hub.database;
    const versions = await executor.selectFrom('webhook_versions').selectAll().execute();
    const watched = await executor.selectFrom('webhook_watched').selectAll().execute();
    return versions.length + watched.length;
  };
  const toggle = async () => {
    await disableWebhook({ ...alice, webhookId });
    await enableWebhook({ ...alice, webhookId });
    await updateWebhook({ ...alice, webhookId, webhook: { ...webhook, watched: [{ type: 'user', name: 'bob' }] } });
    await updateWebhook({ ...alice, webhookId, webhook: { ...webhook, watched: [ALICE] } });
  };
  for (let round = 0; round < 5; round++) await toggle();
  expect(await kept()).toBe(1);
  await happen('first', 1);
  for (let round = 0; round < 5; round++) await toggle();
  expect(await kept()).toBe(3);
  await hub.drain();
  expect(await logOf(webhookId)).toEqual({ failed: 1 });
  hub.clock.advance(2 * HOUR);
  await hub.drain();
  expect(await kept()).toBe(1);
});

test('an event that was set aside and is retried counts for the webhooks of when it happened', async () => {
  const state = { mended: false };
  await using poisoned = await startHub(
    {},
    {
      reactions: (map) => ({
        ...map,
        repo: {
          async poison() {
            if (!state.mended) throw new Error('not now');
            return undefined;
          },
          ...map.repo,
        },
      }),
    },
  );
  await poisoned.people('alice');
  const me = poisoned.as('alice');
  const url = 'https://example.com/hook';
  const make = async () =>
    (await createWebhook({ ...me, webhook: { url, watched: [ALICE], domains: ['repo'] } })).webhook.id;
  const before = await make();
  await createRepo({ ...me, repo: 'alice/letters' });
  for (let time = 0; time < 5; time++) {
    await poisoned.drain();
    poisoned.clock.advance(5 * 60 * 1000);
  }
  const [letter] = await collect(listDeadLetters(poisoned.admin));
  const after = await make();
  await disableWebhook({ ...me, webhookId: before });
  poisoned.clock.advance(2 * HOUR);
  await poisoned.drain();
  state.mended = true;
  await retryDeadLetter({ ...poisoned.admin, id: letter?.id ?? '' });
  await poisoned.drain();
  const entries = async (webhookId: string) =>
    (await collect(listDeliveries({ ...me, webhookId }))).map(({ status }) => status);
  expect(await entries(before)).toEqual(['failed']);
  expect(await entries(after)).toEqual([]);
});
