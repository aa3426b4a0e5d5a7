import { listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { createRepo } from '@moonbase/client/repositories';
import { getDelivery, testWebhook } from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { MINUTE } from './clock.ts';
import { collect, startHub, type TestHub } from './harness.ts';
import { listen } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;

/** Starts a hub with alice, and a webhook on her property. */
async function aliceListens() {
  const hub = await startHub();
  await hub.people('alice');
  const alice = hub.as('alice');
  const listener = await listen(hub, alice, [ALICE]);
  return {
    ...{ hub, alice, listener },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

/** Replaces the data of the last event of a topic by the result of `change`. */
async function rewrite({ database }: TestHub, topic: string, change: (data: string) => string): Promise<void> {
  const { id, data } = await database.read
    .selectFrom('events')
    .select(['id', 'data'])
    .where('topic', '=', topic)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(change(data)).not.toBe(data);
  await database.transaction((tx) =>
    tx
      .updateTable('events')
      .set({ data: change(data) })
      .where('id', '=', id)
      .execute(),
  );
}

const lettersOf = (hub: TestHub) => collect(listDeadLetters(hub.admin));

test('an event from before resource groups existed is delivered', async () => {
  await using fixture = await aliceListens();
  await createRepo({ ...fixture.alice, repo: 'alice/letters' });
  await rewrite(fixture.hub, 'repo', (data) => data.replace(',"groupId":null', ''));
  expect(await fixture.listener.events()).toEqual(['repo/create alice/letters']);
  expect(await lettersOf(fixture.hub)).toEqual([]);
});

test('a rename event without an action is processed as a rename', async () => {
  await using fixture = await aliceListens();
  const { hub, alice, listener } = fixture;
  const { id } = await hub.database.read
    .selectFrom('accounts')
    .select('id')
    .where('name', '=', 'alice')
    .executeTakeFirstOrThrow();
  await hub.apply({ users: [{ name: 'alice', fullname: 'Alice L.' }] });
  await rewrite(hub, 'account', (data) => data.replace('"action":"rename",', ''));
  await createRepo({ ...alice, repo: 'alice/letters' });
  expect(await listener.events()).toEqual(['repo/create alice/letters']);
  const row = { topic: 'account', due_at: 0, attempts: 0, created_at: 0, epoch: 0, progress: null, trace: null };
  const gone = JSON.stringify({ action: 'delete', accountId: 'f'.repeat(24) });
  await hub.database.transaction((tx) =>
    tx
      .insertInto('events')
      .values({ ...row, id: `0${id.slice(1)}`, data: gone, done_at: null })
      .execute(),
  );
  await hub.drain();
  expect(await lettersOf(hub)).toEqual([]);
});

test('a sample of an older release, whose event contains only the payload, is still in the log', async () => {
  await using fixture = await aliceListens();
  const one = { ...fixture.alice, webhookId: fixture.listener.webhookId };
  const { id: logId } = await testWebhook(one);
  const { payload } = await getDelivery({ ...one, logId });
  await rewrite(fixture.hub, payload.event.scope.split('.')[0] ?? '', (data) =>
    JSON.stringify({ payload: (JSON.parse(data) as { payload: unknown }).payload }),
  );
  expect((await getDelivery({ ...one, logId })).payload).toEqual(payload);
});

test('an event that does not match its schema is set aside with the faulty paths, and is processed once repaired', async () => {
  await using fixture = await aliceListens();
  const { hub, alice, listener } = fixture;
  await createRepo({ ...alice, repo: 'alice/letters' });
  await rewrite(hub, 'repo', (data) => data.replace('"private":false,"groupId"', '"private":"hf_secret","groupId"'));
  await createRepo({ ...alice, repo: 'alice/notes' });
  expect(await listener.events()).toEqual(['repo/create alice/notes']);
  for (let time = 0; time < 5; time++) {
    hub.clock.advance(MINUTE);
    await hub.drain();
  }
  const [letter] = await lettersOf(hub);
  expect(letter).toMatchObject({ queue: 'events', kind: 'repo', failures: 5 });
  expect(letter?.error).toMatch(/^Error: An event of the topic repo .*repo\.private: .*boolean/);
  expect(letter?.error).not.toContain('hf_secret');
  await hub.database.transaction((tx) =>
    sql`update events set data = replace(data, '"hf_secret"', 'false') where id = ${letter?.itemId}`.execute(tx),
  );
  await retryDeadLetter({ ...hub.admin, id: letter?.id ?? '' });
  expect(await listener.events()).toEqual(['repo/create alice/letters']);
});

test('reactions and tasks keep the names under which older releases stored their progress', async () => {
  const stored = { reactions: {} as Record<string, readonly string[]>, tasks: [] as string[] };
  const mail = { MOONBASE_SMTP_URL: 'smtp://127.0.0.1:1', MOONBASE_MAIL_FROM: 'hub@example.com' };
  await using hub = await startHub(mail, {
    reactions(table) {
      stored.reactions = Object.fromEntries(table.map(({ topic, names }) => [topic, names]));
      return table;
    },
    tasks(table) {
      stored.tasks = table.map(({ kind }) => kind).sort();
      return table;
    },
  });
  await hub.drain();
  expect(stored.reactions).toEqual({
    repo: ['followNames', 'deliver', 'followHead', 'forget', 'takeAway'],
    'access-request': ['notify', 'mailAccess'],
    discussion: ['deliver', 'notify', 'takeAway'],
    comment: ['notify'],
    thread: ['forget', 'takeAway'],
    membership: ['followAutoJoin', 'followMemberships', 'takeAway'],
    role: ['announceToMembers', 'announceToGroups'],
    group: ['followGroups', 'takeAway'],
    organization: ['hide', 'cancelJobs'],
    purge: ['takeAway'],
    account: ['followAccountNames', 'followAccounts', 'forget', 'takeAway', 'cancelJobsOfUser'],
    claim: ['mailClaimant'],
    webhook: ['mailOwner'],
    invitation: ['mailInvited'],
    'sign-in': ['followOperator', 'mailUser'],
    'second-factor': ['mailUser'],
    'oauth-grant': ['mailGrantor'],
  });
  expect(stored.tasks).toEqual([
    'audit.retain',
    'buckets.prune',
    'cards.tag-signatures',
    'catalog.popularity',
    'dead-letters.retain',
    'jobs.retain',
    'limits.retain',
    'mails.retain',
    'notifications.retain',
    'oauth.prune',
    'organizations.purge',
    'repositories.first-commits',
    'repositories.names',
    'scim.purge-group',
    'scim.role-sync',
    'sign-in.prune',
    'sign-in.reset',
    'sign-in.sign-up',
    'single-sign-on.prune',
    'upstream.prune',
    'watching.retain',
    'webhooks.expire',
    'webhooks.purge',
    'webhooks.replay',
    'webhooks.retain',
  ]);
});
