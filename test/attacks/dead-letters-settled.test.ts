import { createAccessToken, deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { discardDeadLetter, listDeadLetters, retryDeadLetter } from '@moonbase/client/admin';
import { exportSiteAuditLog } from '@moonbase/client/audit-log';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, deleteWebhook } from '@moonbase/client/webhooks';
import { describe, expect, test } from 'vitest';
import type { QueueName } from '../../packages/server/src/platform/database/tables.ts';
import { NEVER } from '../../packages/server/src/platform/queue/due-store.ts';
import { HOUR } from '../../packages/server/test/clock.ts';
import { collect, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { refusal } from '../../packages/server/test/webhooks-listen.ts';

const idOf = (at: number) => String(at).padStart(24, '0');

/** Inserts a dead letter for the item with this id. */
async function letter(hub: TestHub, at: number, queue: QueueName, itemId: string) {
  const row = { id: idOf(at), queue, item_id: itemId, kind: 'test', error: 'Error: no', failures: 5, deaths: 0 };
  await hub.database.transaction((tx) =>
    tx
      .insertInto('dead_letters')
      .values({ ...row, created_at: 0, set_aside_at: 0 })
      .execute(),
  );
  return row.id;
}

/** Creates a task that is set aside; returns its dead letter. */
async function deadTask(hub: TestHub, at: number) {
  const task = { id: idOf(at), key: idOf(at), kind: 'webhooks.purge', data: '{"webhookId":"none"}', created_at: 0 };
  await hub.database.transaction((tx) =>
    tx
      .insertInto('tasks')
      .values({ ...task, due_at: NEVER, attempts: 5 })
      .execute(),
  );
  return letter(hub, at, 'tasks', task.id);
}

const left = async (hub: TestHub) => (await collect(listDeadLetters(hub.admin))).map(({ id }) => id);

test.each([
  ['retry', 'retry'],
  ['retry', 'discard'],
  ['discard', 'discard'],
] as const)(
  'when one administrator wants to %s a letter and another to %s it at the same time, one of them succeeds',
  async (...both) => {
    await using hub = await startHub();
    const settle = { retry: retryDeadLetter, discard: discardDeadLetter };
    for (let at = 1; at <= 10; at++) {
      const id = await deadTask(hub, at);
      const outcomes = await Promise.allSettled(both.map((how) => settle[how]({ ...hub.admin, retry: false, id })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const [lost] = outcomes.filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject({ reason: { status: 404 } });
      expect(await exportSiteAuditLog({ ...hub.admin, q: 'type:dead_letter.*' })).toHaveLength(at);
      const won = both[outcomes.findIndex(({ status }) => status === 'fulfilled')];
      const task = await hub.database.read.selectFrom('tasks').selectAll().where('id', '=', idOf(at)).execute();
      expect(task.map(({ attempts }) => attempts)).toEqual(won === 'retry' ? [0] : []);
    }
    expect(await left(hub)).toEqual([]);
  },
);

describe('a dead letter whose item was deleted', () => {
  const QUEUES = ['events', 'tasks', 'deliveries', 'mails', 'jobs', 'scheduled-jobs'] as const;

  test.each(QUEUES)('in the queue %s cannot be retried, can be discarded, and is pruned', async (queue) => {
    await using hub = await startHub();
    const letters = await Promise.all([1, 2, 3].map((at) => letter(hub, at, queue, idOf(at + 10))));
    const [retried = '', discarded = '', forgotten = ''] = letters;
    expect(await refusal(retryDeadLetter({ ...hub.admin, id: retried }))).toMatchObject({ status: 410 });
    await discardDeadLetter({ ...hub.admin, id: discarded });
    expect(await left(hub)).toEqual([forgotten]);
    hub.clock.advance(HOUR);
    await hub.drain();
    expect(await left(hub)).toEqual([]);
  });

  test('is deleted with the webhook of its delivery, and other letters stay', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    const alice = hub.as('alice');
    const webhook = { url: 'https://example.com/x', watched: [{ type: 'user' as const, name: 'alice' }] };
    const { id: webhookId } = (await createWebhook({ ...alice, webhook: { ...webhook, domains: ['repo'] } })).webhook;
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    const delivery = await hub.database.read.selectFrom('deliveries').select('id').executeTakeFirstOrThrow();
    await letter(hub, 1, 'deliveries', delivery.id);
    const other = await deadTask(hub, 2);
    hub.clock.advance(HOUR);
    await hub.drain();
    expect(await left(hub)).toEqual([other, idOf(1)]);
    await deleteWebhook({ ...alice, webhookId });
    hub.clock.advance(2 * HOUR);
    await hub.drain();
    expect(await left(hub)).toEqual([other]);
  });
});

test('thousands of dead letters of deleted items are pruned, page by page', async () => {
  await using hub = await startHub();
  const kept = await deadTask(hub, 0);
  for (let at = 1; at <= 1_200; at++) await letter(hub, at, 'events', idOf(at + 10_000));
  hub.clock.advance(HOUR);
  await hub.drain();
  expect(await left(hub)).toEqual([kept]);
});

test('only a token of a site administrator with the role write can retry or discard dead letters', async () => {
  await using hub = await startHub();
  const id = await deadTask(hub, 1);
  const made = async (role: 'read' | 'write' | 'fineGrained') => {
    const { token } = await createAccessToken({
      ...{ ...hub.admin, displayName: role, role },
      ...(role === 'fineGrained' && { fineGrained: { global: [], scoped: [] } }),
    } as Parameters<typeof createAccessToken>[0]);
    return hub.with(token);
  };
  const [read, fineGrained, gone] = [await made('read'), await made('fineGrained'), await made('write')];
  const tokens = await collect(listAccessTokens(hub.admin));
  const revoked = tokens.find(({ displayName }) => displayName === 'write');
  await deleteAccessToken({ ...hub.admin, tokenId: revoked?.id ?? '' });
  expect(await collect(listDeadLetters(read))).toHaveLength(1);
  expect(await refusal(collect(listDeadLetters(fineGrained)))).toMatchObject({ status: 403 });
  expect(await refusal(collect(listDeadLetters(gone)))).toMatchObject({ status: 401 });
  for (const settle of [retryDeadLetter, discardDeadLetter]) {
    expect(await refusal(settle({ ...read, id }))).toMatchObject({ status: 403 });
    expect(await refusal(settle({ ...fineGrained, id }))).toMatchObject({ status: 403 });
    expect(await refusal(settle({ ...gone, id }))).toMatchObject({ status: 401 });
  }
  expect(await left(hub)).toEqual([id]);
});
