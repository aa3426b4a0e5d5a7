import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/open-test-database.ts';
import { storeUser } from '../../test/stored-deliveries.ts';
import { pruneWatches, pruneWatchesTask } from './prune.ts';

test('watches and mutes whose targets no longer exist are deleted, at most 500 per step, and the others stay', async () => {
  await using opened = await openTestDatabase();
  const db = opened.database.read;
  await storeUser(opened.database);
  const { id: userId } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  await opened.database.transaction((tx) =>
    tx
      .insertInto('papers')
      .values({ id: 'paper', arxiv_id: '2401.00001', title: 'A', summary: '', created_at: 0, title_key: 'a' })
      .execute(),
  );
  const rows = (count: number, target_type: string, present: string) =>
    [present, ...Array.from({ length: count }, (_, at) => `gone${at}`)].map((target_id) => ({
      ...{ user_id: userId, target_type, target_id, created_at: 0 },
    }));
  for (let from = 0; from < 1100; from += 100)
    await opened.database.transaction((tx) =>
      tx
        .insertInto('watches')
        .values(rows(1099, 'user', userId).slice(from, from + 100) as never)
        .execute(),
    );
  await opened.database.transaction((tx) =>
    tx
      .insertInto('mutes')
      .values(rows(3, 'discussion', 'paper') as never)
      .execute(),
  );

  const left = async () => [
    ...(await db.selectFrom('watches').select('target_id').execute()),
    ...(await db.selectFrom('mutes').select('target_id').execute()),
  ];
  const steps: number[] = [];
  for (let data = pruneWatchesTask.read('null'); ; ) {
    const before = (await left()).length;
    const result = await opened.database.transaction((tx) => pruneWatches(tx, { id: 't', data, createdAt: 0 }));
    steps.push(before - (await left()).length);
    if (result === 'done') break;
    data = pruneWatchesTask.read(pruneWatchesTask.write(result.data));
  }
  expect(steps.reduce((sum, count) => sum + count)).toBe(1099 + 3);
  expect(Math.max(...steps)).toBeLessThanOrEqual(500);
  expect((await left()).map(({ target_id }) => target_id)).toEqual([userId, 'paper']);
});
