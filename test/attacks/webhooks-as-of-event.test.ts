import { listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { deleteOrganization, restoreOrganization, updateOrganization } from '@moonbase/client/organizations';
import { createBranch, createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { createResourceGroup, deleteResourceGroup } from '@moonbase/client/resource-groups';
import { disableUser, enableUser } from '@moonbase/client/users';
import {
  createWebhook,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  replayDelivery,
  updateWebhook,
} from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onTopic } from '../../packages/server/src/platform/events/reaction.ts';
import { createIds } from '../../packages/server/src/platform/ids.ts';
import { repoTopic } from '../../packages/server/src/repositories/index.ts';
import { HOUR } from '../../packages/server/test/clock.ts';
import { type Connection, collect, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { HEARS } from '../../packages/server/test/outbound-hears.ts';
import { startReceiver } from '../../packages/server/test/receiver.ts';

/** The number of events that wait when a webhook is created, enabled, changed, disabled or deleted. */
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

/** Creates a branch and copies its event `times` times; none of the events is fanned out. */
async function happen(branch: string, times = BACKLOG): Promise<void> {
  await createBranch({ ...alice, type: 'model', repo: 'alice/letters', branch });
  const { read } = hub.database;
  const event = await read
    .selectFrom('events')
    .selectAll()
    .where('data', 'like', `%refs/heads/${branch}"%`)
    .executeTakeFirstOrThrow();
  const ids = createIds(hub.clock);
  const copies = Array.from({ length: times - 1 }, () => ({ ...event, id: ids() }));
  for (let from = 0; from < copies.length; from += 500)
    await hub.database.transaction((tx) =>
      tx
        .insertInto('events')
        .values(copies.slice(from, from + 500))
        .execute(),
    );
}

/** Returns the number of log entries of a webhook by status. */
async function logOf(webhookId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from deliveries where webhook_id = ${webhookId} group by status`.execute(
    hub.database.read,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

test('a webhook that is created after the events of a backlog gets none of them', async () => {
  await using receiver = await startReceiver();
  await happen('before');
  const webhookId = await webhookOn(receiver.url);
  await hub.drain();
  expect(receiver.received).toHaveLength(0);
  expect(await logOf(webhookId)).toEqual({});
  expect((await getWebhook({ ...alice, webhookId })).webhook).not.toHaveProperty('lastTriggerAt');
});

test('a webhook that is enabled after a backlog gets none of the events from while it was disabled', async () => {
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

test('every event from before a disabling is logged as parked, even if the webhook is enabled again', async () => {
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

test('a webhook that is changed while events wait gets the events that it asked for when they happened', async () => {
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

test('a webhook that is deleted while events wait leaves no rows behind', async () => {
  await using receiver = await startReceiver();
  const webhookId = await webhookOn(receiver.url);
  await happen('before', 100);
  await disableWebhook({ ...alice, webhookId });
  await enableWebhook({ ...alice, webhookId });
  await deleteWebhook({ ...alice, webhookId });
  await hub.drain();
  expect(receiver.received).toHaveLength(0);
  for (const table of ['webhooks', 'webhook_watched', 'webhook_versions', 'deliveries'] as const)
    expect(await hub.database.read.selectFrom(table).selectAll().execute()).toEqual([]);
});

test('toggling and changing a webhook over and over keeps no row that no event needs', async () => {
  const webhookId = await webhookOn('https://example.com/hook');
  const webhook = { domains: ['repo' as const] };
  const kept = async () => {
    const { read } = hub.database;
    const versions = await read.selectFrom('webhook_versions').selectAll().execute();
    const watched = await read.selectFrom('webhook_watched').selectAll().execute();
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

test('a retried event goes to the webhooks as they were when it happened', async () => {
  const state = { mended: false };
  await using poisoned = await startHub(
    {},
    {
      reactions: (table) => [
        onTopic(repoTopic, {
          async poison() {
            if (!state.mended) throw new Error('not now');
            return undefined;
          },
        }),
        ...table,
      ],
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

/** Returns action and repository of every entry of a log, oldest first. */
async function heardBy(webhookId: string, owner = alice): Promise<string[]> {
  const entries = await collect(listDeliveries({ ...owner, webhookId }));
  return entries.map(({ event, repo, status }) => `${event.scope}/${event.action} ${repo.name} ${status}`).reverse();
}

const watching = async (type: 'model' | 'org', name: string, url: string): Promise<string> =>
  (await createWebhook({ ...alice, webhook: { url, watched: [{ type, name }], domains: ['repo'] } })).webhook.id;

/** Delays the events whose data is like `like` by an hour. */
const delay = (like: string) =>
  hub.database.transaction((tx) =>
    tx
      .updateTable('events')
      .where('data', 'like', like)
      .set({ due_at: hub.clock.now() + HOUR })
      .execute(),
  );
const acme = () => hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }] });

test('a repository deleted after its organization was renamed is matched by its watched old name', async () => {
  await using receiver = await startReceiver();
  await acme();
  await createRepo({ ...alice, repo: 'acme/letters' });
  await hub.drain();
  const webhookId = await watching('model', 'acme/letters', receiver.url);
  await updateOrganization({ ...alice, name: 'acme', change: { name: 'zenith' } });
  await deleteRepo({ ...alice, repo: 'zenith/letters' });
  await hub.drain();
  expect(await heardBy(webhookId)).toEqual(['repo/delete zenith/letters delivered']);
  // From then on the webhook watches the last name of the repository.
  await createRepo({ ...alice, repo: 'zenith/letters' });
  await hub.drain();
  expect(await heardBy(webhookId)).toHaveLength(2);
});

test('an organization is followed from a name that it had only while events waited', async () => {
  await using receiver = await startReceiver();
  await acme();
  await hub.drain();
  const webhookId = await watching('org', 'zenith', receiver.url);
  await updateOrganization({ ...alice, name: 'acme', change: { name: 'zenith' } });
  await updateOrganization({ ...alice, name: 'zenith', change: { name: 'apex' } });
  await createRepo({ ...alice, repo: 'apex/letters' });
  await hub.drain();
  expect(await heardBy(webhookId)).toEqual(['repo/create apex/letters delivered']);
});

test('waiting events of a repository are not lost when another takes its name, in any order of fan-out', async () => {
  await using receiver = await startReceiver();
  const webhookId = await watching('model', 'alice/letters', receiver.url);
  await happen('of-the-first', 2);
  const { read } = hub.database;
  await delay('%of-the-first%');
  await deleteRepo({ ...alice, repo: 'alice/letters' });
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  hub.clock.advance(HOUR);
  await hub.drain();
  expect(await read.selectFrom('deliveries').select('scope').where('webhook_id', '=', webhookId).execute()).toEqual(
    ['repo', 'repo', 'repo.content', 'repo.content'].map((scope) => ({ scope })),
  );
  hub.clock.advance(2 * HOUR);
  await hub.drain();
  const kept = await read.selectFrom('webhook_watched').selectAll().where('webhook_id', '=', webhookId).execute();
  expect(kept).toHaveLength(1);
});

test('a repository is followed to another name even if its creation is fanned out last', async () => {
  await using receiver = await startReceiver();
  const webhookId = await watching('model', 'alice/news', receiver.url);
  await createRepo({ ...alice, repo: 'alice/news' });
  await delay('%alice/news%');
  await moveRepo({ ...alice, from: 'alice/news', to: 'alice/press' });
  await createBranch({ ...alice, type: 'model', repo: 'alice/press', branch: 'extra' });
  await deleteRepo({ ...alice, repo: 'alice/press' });
  await hub.drain();
  hub.clock.advance(HOUR);
  await hub.drain();
  expect((await heardBy(webhookId)).map((entry) => entry.split(' ')[0])).toEqual([
    'repo/move',
    'repo.content/update',
    'repo/delete',
    'repo/create',
  ]);
});

test('very many webhooks all hear of a repository and its deletion, even those that watch it twice', async () => {
  const MANY = 510;
  await using hub = await startHub({}, { outbound: HEARS });
  await hub.people('alice');
  const alice = hub.as('alice');
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  const watches = { url: 'https://example.com/hook', domains: ['repo' as const] };
  const webhook = { ...watches, watched: [{ type: 'model' as const, name: 'alice/letters' }] };
  await createWebhook({ ...alice, webhook });
  const { read } = hub.database;
  const row = await read.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
  const watched = await read.selectFrom('webhook_watched').selectAll().executeTakeFirstOrThrow();
  const ids = createIds(hub.clock);
  const copies = Array.from({ length: MANY - 1 }, () => ids());
  for (let from = 0; from < copies.length; from += 500) {
    const some = copies.slice(from, from + 500);
    await hub.database.transaction((tx) =>
      tx
        .insertInto('webhooks')
        .values(some.map((id) => ({ ...row, id })))
        .execute(),
    );
    await hub.database.transaction((tx) =>
      tx
        .insertInto('webhook_watched')
        .values(some.map((id) => ({ ...watched, webhook_id: id })))
        .execute(),
    );
  }
  const [first = ''] = [row.id, ...copies].sort();
  // The second name stands for the same repository, as after a move to a name that was also watched.
  await hub.database.transaction((tx) =>
    tx
      .insertInto('webhook_watched')
      .values({ ...watched, webhook_id: first, position: 1, name: 'alice/mail', name_key: 'alice/mail' })
      .execute(),
  );
  await createBranch({ ...alice, type: 'model', repo: 'alice/letters', branch: 'main-too' });
  await deleteRepo({ ...alice, repo: 'alice/letters' });
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  const { rows } = await sql<{ action: string; count: number }>`
    select action, count(*) as count from deliveries group by action order by action`.execute(read);
  expect(rows.map(({ action, count }) => [action, Number(count)])).toEqual([
    ['create', MANY],
    ['delete', MANY],
    ['update', MANY],
  ]);
});

test('events that wait when the owner of a webhook is disabled are parked; later ones are not logged until the owner is enabled', async () => {
  await using receiver = await startReceiver();
  await hub.people('bob');
  const bob = hub.as('bob');
  const webhookId = await webhookOn(receiver.url, bob);
  const user = { ...hub.admin, username: 'bob' };
  await happen('before', 3);
  await disableUser(user);
  await happen('meanwhile', 3);
  await hub.drain();
  expect(await logOf(webhookId)).toEqual({ failed: 3 });
  await enableUser(user);
  await happen('after', 2);
  await hub.drain();
  expect(await logOf(webhookId)).toEqual({ failed: 3, delivered: 2 });
  const [entry] = await collect(listDeliveries({ ...bob, webhookId, status: 'failed' }));
  expect(entry?.error).toContain('or its owner disabled, before');
  await replayDelivery({ ...bob, webhookId, logId: entry?.id ?? '' });
  expect(receiver.received.map(({ payload }) => payload.updatedRefs?.[0]?.ref)).toEqual(
    ['after', 'after', 'before'].map((branch) => `refs/heads/${branch}`),
  );
});

test('a backlog that outlasts the time when the owner of a webhook was disabled is divided in the same way', async () => {
  await using receiver = await startReceiver();
  await hub.people('bob');
  const webhookId = await webhookOn(receiver.url, hub.as('bob'));
  const user = { ...hub.admin, username: 'bob' };
  await happen('before', 3);
  await disableUser(user);
  await happen('meanwhile', 5);
  await enableUser(user);
  await happen('after', 2);
  await hub.drain();
  expect(await logOf(webhookId)).toEqual({ failed: 3, delivered: 2 });
  expect(new Set(receiver.received.map(({ payload }) => payload.updatedRefs?.[0]?.ref))).toEqual(
    new Set(['refs/heads/after']),
  );
});

test('events that wait when an organization is deleted are not sent, and are in the log again once it is restored', async () => {
  await using receiver = await startReceiver();
  await acme();
  await hub.drain();
  const webhookId = await watching('org', 'acme', receiver.url);
  await createRepo({ ...alice, repo: 'acme/letters' });
  await deleteOrganization({ ...alice, name: 'acme' });
  await hub.drain();
  expect(await heardBy(webhookId)).toEqual([]);
  await restoreOrganization({ ...alice, name: 'acme' });
  await hub.drain();
  expect(await heardBy(webhookId)).toEqual(['repo/create acme/letters failed']);
  const [entry] = await collect(listDeliveries({ ...alice, webhookId }));
  expect(receiver.received).toHaveLength(0);
  await replayDelivery({ ...alice, webhookId, logId: entry?.id ?? '' });
  expect(receiver.received).toHaveLength(1);
});

test('events that wait when a resource group is deleted go to those who may read its repositories then', async () => {
  await hub.people('bob');
  const members = [
    { user: 'alice', role: 'admin' as const },
    { user: 'bob', role: 'read' as const },
  ];
  await hub.apply({ organizations: [{ name: 'acme', plan: 'enterprise', members }] });
  const acme = { ...alice, organization: 'acme' };
  const group = await createResourceGroup({ ...acme, name: 'Letters', users: [{ user: 'bob', role: 'read' }] });
  await createRepo({ ...alice, repo: 'acme/letters', private: true, resourceGroupId: group.id });
  await hub.drain();
  await using receiver = await startReceiver();
  const bob = hub.as('bob');
  const watched = [{ type: 'org' as const, name: 'acme' }];
  const { webhook } = await createWebhook({ ...bob, webhook: { url: receiver.url, watched, domains: ['repo'] } });
  await createBranch({ ...alice, type: 'model', repo: 'acme/letters', branch: 'extra' });
  await deleteResourceGroup({ ...acme, resourceGroupId: group.id });
  await hub.drain();
  expect(await heardBy(webhook.id, bob)).toEqual(['repo.content/update acme/letters delivered']);
});

test('the log finds by event time what was fanned out long after the event', async () => {
  await using receiver = await startReceiver();
  const webhookId = await webhookOn(receiver.url);
  await happen('before', 1);
  const to = new Date(hub.clock.now()).toISOString();
  hub.clock.advance(2 * HOUR);
  await happen('after', 1);
  await hub.drain();
  expect(await collect(listDeliveries({ ...alice, webhookId }))).toHaveLength(2);
  expect(await collect(listDeliveries({ ...alice, webhookId, to }))).toHaveLength(1);
});
