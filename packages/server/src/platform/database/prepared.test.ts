import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../test/open-test-database.ts';
import { prepared } from './prepared.ts';
import type { Executor } from './transaction.ts';

test('a prepared query is built once and takes other arguments each time, beside its constant values', async () => {
  await using opened = await openTestDatabase();
  const { read } = opened.database;
  await opened.database.transaction((tx) =>
    tx
      .insertInto('settings')
      .values([
        { name: 'a', value: '1' },
        { name: 'b', value: '1' },
        { name: 'c', value: '2' },
      ])
      .execute(),
  );
  let built = 0;
  const find = prepared<{ name: string }>()((db, argument) => {
    built += 1;
    return db.selectFrom('settings').select('name').where('value', '=', '1').where('name', '>=', argument('name'));
  });
  expect(await find(read, { name: 'a' })).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(await find(read, { name: 'b' })).toEqual([{ name: 'b' }]);
  expect(await find(read, { name: 'c' })).toEqual([]);
  expect(built).toBe(1);
});

test('a prepared insert works inside a transaction', async () => {
  await using opened = await openTestDatabase();
  const put = prepared<{ name: string; value: string }>()((tx: Executor, argument) =>
    tx.insertInto('settings').values({ name: argument('name'), value: argument('value') }),
  );
  await opened.database.transaction(async (tx) => {
    await put(tx, { name: 'a', value: '1' });
    await put(tx, { name: 'b', value: '2' });
  });
  expect(await opened.database.read.selectFrom('settings').selectAll().orderBy('name').execute()).toEqual([
    { name: 'a', value: '1' },
    { name: 'b', value: '2' },
  ]);
});
