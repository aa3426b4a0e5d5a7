import { createOrganization, deleteOrganization } from '@moonbase/client/organizations';
import { createRepo, deleteRepo, listModels, moveRepo } from '@moonbase/client/repositories';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import { fillNames, namesAreFilled } from '../src/repositories/index.ts';
import { MINUTE } from './clock.ts';
import { collect, startHub, type TestHub } from './harness.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';

const finder =
  (hub: TestHub, user: string) =>
  async (...search: string[]) =>
    (await collect(listModels({ ...hub.as(user), search }))).map(({ id }) => id).toSorted();

/** Lets the task run that adds the names of the last minute to the index. */
async function index(hub: TestHub): Promise<void> {
  hub.clock.advance(2 * MINUTE);
  await hub.drain();
}

test('names are found at once and from the index, through renames, moves and deletions', async () => {
  await using hub = await startHub();
  await hub.people('alice', 'bob');
  const alice = hub.as('alice');
  const find = finder(hub, 'bob');
  await createOrganization({ ...alice, name: 'ocean' });
  for (const repo of ['alice/Blue_Whale.v2', 'ocean/blue-shark', 'ocean/ocean-model'])
    await createRepo({ ...alice, repo });
  await createRepo({ ...alice, repo: 'ocean/secret-whale', private: true });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await index(hub);
    expect(await find('BLUE')).toEqual(['alice/Blue_Whale.v2', 'ocean/blue-shark']);
    expect(await find('blue-whale_V2')).toEqual(['alice/Blue_Whale.v2']);
    expect(await find('ocean')).toEqual(['ocean/blue-shark', 'ocean/ocean-model']);
    expect(await find('ocean/blue')).toEqual(['ocean/blue-shark']);
    expect(await find('cean/bl')).toEqual(['ocean/blue-shark']);
    expect(await find('ocean/')).toEqual(['ocean/blue-shark', 'ocean/ocean-model']);
    expect(await find('/ocean')).toEqual(['ocean/ocean-model']);
    expect(await find('blue ocean')).toEqual(['ocean/blue-shark']);
    expect(await find('sh')).toEqual(['ocean/blue-shark']);
    for (const nothing of ['absent', 'elahw', 'secret-whale', 'blu%', '"blue"', 'a/b/c', 'ünder'])
      expect([nothing, await find(nothing)]).toEqual([nothing, []]);
    expect(await finder(hub, 'alice')('secret')).toEqual(['ocean/secret-whale']);
  }
  await moveRepo({ ...alice, from: 'ocean/blue-shark', to: 'alice/red-shark' });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await index(hub);
    expect(await find('shark')).toEqual(['alice/red-shark']);
    expect(await find('red-')).toEqual(['alice/red-shark']);
    expect(await find('blue')).toEqual(['alice/Blue_Whale.v2']);
    expect(await find('ocean')).toEqual(['ocean/ocean-model']);
  }
  await deleteRepo({ ...alice, type: 'model', repo: 'alice/red-shark' });
  await createRepo({ ...alice, repo: 'alice/green-shark' });
  for (const isIndexed of [false, true]) {
    if (isIndexed) await index(hub);
    expect(await find('shark')).toEqual(['alice/green-shark']);
  }
  await deleteOrganization({ ...alice, name: 'ocean' });
  expect(await find('ocean')).toEqual([]);
});

test('names of before the upgrade are added in steps, and until then lists are searched without them', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, '0097');
  await database.transaction(async (tx) => {
    await sql`insert into accounts (id, kind, name, name_key, fullname, created_at)
      values ('a', 'user', 'alice', 'alice', 'Alice', 1)`.execute(tx);
    for (let at = 0; at < 501; at += 1)
      await sql`insert into repositories (id, type, owner_id, name, name_key, created_at)
        values (${`r${String(at).padStart(3, '0')}`}, 'model', 'a', ${`A.b${at}`}, ${`a.b${at}`}, 1)`.execute(tx);
  });
  await migrate(database, migrations, 0);
  const { read } = database;
  const names = async () =>
    (await read.selectFrom('searched_names').select(['id', 'name']).orderBy('id').execute()).map(
      ({ id, name }) => `${id} ${name}`,
    );
  const step = () => database.transaction((tx) => fillNames(tx, { id: 't', data: null, createdAt: 0 }));
  expect([await names(), await namesAreFilled(read)]).toEqual([['a alice'], false]);
  expect(await step()).toEqual({ data: null });
  expect(await names()).toHaveLength(501);
  // What changes in between is neither lost nor overwritten.
  await database.transaction(async (tx) => {
    await sql`update repositories set name_key = 'new' || id where id in ('r000', 'r500')`.execute(tx);
    await sql`delete from repositories where id = 'r001'`.execute(tx);
  });
  for (let result: unknown; result !== 'done'; ) result = await step();
  expect(await namesAreFilled(read)).toBe(true);
  const all = await names();
  expect(all).toHaveLength(501);
  expect(all).toEqual(expect.arrayContaining(['a alice', 'r000 newr000', 'r002 a-b2', 'r500 newr500']));
});
