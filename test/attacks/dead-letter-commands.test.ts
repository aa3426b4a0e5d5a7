import { expect, test } from 'vitest';
import { moonbase } from '../../packages/cli/test/hub.ts';
import { NEVER } from '../../packages/server/src/platform/queue/due-store.ts';
import { startHub } from '../../packages/server/test/harness.ts';

test('site administrators list, retry and discard dead letters by command', async () => {
  await using hub = await startHub();
  const ids = ['1', '2'].map((id) => id.padStart(24, '0'));
  for (const id of ids) {
    const kind = 'webhooks.purge';
    const task = { id, key: id, kind, data: '{"webhookId":"none"}', due_at: NEVER, attempts: 5, created_at: 0 };
    const letter = { id, queue: 'tasks', item_id: id, kind, error: 'Error: no', failures: 5, deaths: 0 } as const;
    await hub.database.transaction((tx) => tx.insertInto('tasks').values(task).execute());
    await hub.database.transaction((tx) =>
      tx
        .insertInto('dead_letters')
        .values({ ...letter, created_at: 0, set_aside_at: 0 })
        .execute(),
    );
  }
  const env = { MOONBASE_URL: hub.url, MOONBASE_TOKEN: hub.admin.accessToken };
  const run = (...words: string[]) => moonbase(['admin', 'dead-letters', ...words], { env });
  const { out } = await run('list', '--queue', 'tasks');
  expect(out).toMatch(/tasks +webhooks\.purge .*5 failures +Error: no/);
  expect(await run('retry', ids[0]!)).toMatchObject({ status: 0, out: 'The item is in its queue again.\n' });
  expect(await run('discard', ids[1]!)).toMatchObject({ status: 0, out: 'The item is discarded.\n' });
  expect(await hub.database.read.selectFrom('tasks').select('id').where('id', 'in', ids).execute()).toEqual([
    { id: ids[0] },
  ]);
  expect(JSON.parse((await run('list', '--json')).out)).toEqual([]);
  expect((await run('retry', ids[1]!)).status).toBe(4);
});
