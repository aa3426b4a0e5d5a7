import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations, type OpenTestDatabase, openEmptyDatabase } from '../../../test/open-test-database.ts';
import { isUsable, migrate } from './migrate.ts';
import type { Database } from './transaction.ts';

let opened: OpenTestDatabase;
let database: Database;
let folder: string;
beforeEach(async () => {
  opened = await openEmptyDatabase();
  database = opened.database;
  folder = mkdtempSync(join(tmpdir(), 'moonbase-migrations-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await opened[Symbol.asyncDispose]();
});

/** Puts migrations into the folder. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

const applied = async () => {
  const { rows } = await sql<{ name: string; applied_at: number }>`
    select name, applied_at from migrations order by name`.execute(database.read);
  return rows;
};
const valuesOf = async (table: string): Promise<string[]> => {
  const { rows } = await sql<{ value: string }>`select value from ${sql.table(table)} order by value`.execute(
    database.read,
  );
  return rows.map(({ value }) => value);
};

test('the real migrations create the tables, and the name of the newest is returned', async () => {
  const names = readdirSync(migrations)
    .filter((file) => file.endsWith('.sql') && !file.endsWith('.postgres.sql'))
    .map((file) => file.replace('.sql', ''))
    .sort();
  expect(await migrate(database, migrations, 5)).toBe(names.at(-1));
  expect(await applied()).toEqual(names.map((name) => ({ name, applied_at: 5 })));
  for (const table of ['accounts', 'repositories', 'events', 'deliveries'] as const)
    expect(await database.read.selectFrom(table).selectAll().execute()).toEqual([]);
});

test('each file runs once, in the order of the names, and so does a file that is added later', async () => {
  write({
    '0002-second.sql': "insert into first (value) values ('two');",
    '0001-first.sql': 'create table first (value text primary key);',
    'notes.txt': 'not a migration',
  });
  const told: (readonly string[])[] = [];
  const tell = { onMigrated: (names: readonly string[]) => void told.push(names) };
  expect(await migrate(database, folder, 1, tell)).toBe('0002-second');
  expect(await migrate(database, folder, 2, tell)).toBe('0002-second');
  write({ '0003-third.sql': "insert into first (value) values ('three');" });
  expect(await migrate(database, folder, 3, tell)).toBe('0003-third');
  expect(told).toEqual([['0001-first', '0002-second'], ['0003-third']]);
  expect(await valuesOf('first')).toEqual(['three', 'two']);
  expect(await applied()).toEqual([
    { name: '0001-first', applied_at: 1 },
    { name: '0002-second', applied_at: 1 },
    { name: '0003-third', applied_at: 3 },
  ]);
});

test('a file may contain comments, several statements, and semicolons inside strings', async () => {
  write({
    '0001-first.sql': `-- What it is for; in a few words.
create table first (
  value text primary key -- the only one
);

-- And something to begin with.
insert into first (value) values ('a;b');
insert into first (value) values ('c');
`,
  });
  await migrate(database, folder, 1);
  expect(await valuesOf('first')).toEqual(['a;b', 'c']);
});

test('a migration that fails leaves nothing of itself or of those that ran with it', async () => {
  write({
    '0001-first.sql': 'create table first (value text primary key);',
    '0002-broken.sql': "insert into first (value) values ('one');\ninsert into nowhere (value) values ('two');",
  });
  await expect(migrate(database, folder, 1)).rejects.toThrow(/nowhere/);
  await expect(valuesOf('first')).rejects.toThrow(/first/);
  write({ '0002-broken.sql': "insert into first (value) values ('mended');" });
  expect(await migrate(database, folder, 2)).toBe('0002-broken');
  expect(await valuesOf('first')).toEqual(['mended']);
});

test('a database with a migration that has no file belongs to a newer version and is left alone', async () => {
  write({ '0001-first.sql': 'create table first (value text primary key);', '0002-second.sql': 'select 1;' });
  await migrate(database, folder, 1);
  rmSync(join(folder, '0002-second.sql'));
  write({ '0003-third.sql': "insert into first (value) values ('three');" });
  await expect(migrate(database, folder, 2)).rejects.toThrow(
    'This database was written by a newer version of Moonbase (it has the migration 0002-second). Start that version, or restore an older backup.',
  );
  expect(await valuesOf('first')).toEqual([]);
});

describe('a version that starts on the database of another one', () => {
  const releases = (...newest: readonly string[]) => ({
    'releases.json': JSON.stringify(newest.map((each, at) => ({ version: `1.${at}.0`, newest: each }))),
  });
  const scripts = {
    '0001-first.sql': 'create table first (value text primary key);',
    '0002-second.sql': 'create table second (value text primary key);',
    '0003-third.sql': 'create table third (value text primary key);',
  };
  const remove = (...names: readonly string[]) => {
    for (const name of names) rmSync(join(folder, name));
  };
  const { '0003-third.sql': third, ...untilSecond } = scripts;

  test('works beside the release after it, and changes nothing', async () => {
    write({ ...untilSecond, ...releases('0001-first') });
    await migrate(database, folder, 1);
    remove('0002-second.sql', 'releases.json');
    const newer: (readonly string[])[] = [];
    const onNewer = (names: readonly string[]) => void newer.push(names);
    expect(await isUsable(database, folder)).toBe(true);
    expect(await migrate(database, folder, 2, { onNewer })).toBe('0001-first');
    expect(newer).toEqual([['0002-second']]);
    expect((await applied()).map(({ applied_at }) => applied_at)).toEqual([1, 1]);
  });

  test('does not work beside the release after the next, even if both migrated at once', async () => {
    write({ ...scripts, ...releases('0001-first', '0002-second') });
    await migrate(database, folder, 1);
    remove('0003-third.sql');
    expect(await migrate(database, folder, 2)).toBe('0002-second');
    remove('0002-second.sql');
    expect(await isUsable(database, folder)).toBe(false);
    await expect(migrate(database, folder, 2)).rejects.toThrow(/written by a newer version/);
  });

  test('runs no migration of its own on a newer database', async () => {
    write({ ...untilSecond, ...releases('0001-first') });
    await migrate(database, folder, 1);
    remove('0002-second.sql');
    write({ '0003-third.sql': third });
    await expect(migrate(database, folder, 2)).rejects.toThrow(/it has the migration 0002-second/);
    await expect(valuesOf('third')).rejects.toThrow(/third/);
  });

  test('knows as the release before it the last one with other migrations', async () => {
    write({ ...untilSecond, ...releases('0001-first', '0002-second', '0002-second') });
    await migrate(database, folder, 1);
    remove('0002-second.sql');
    expect(await migrate(database, folder, 2)).toBe('0001-first');
  });

  test('adds to a database from before what is recorded of migrations now', async () => {
    write({ '0001-first.sql': scripts['0001-first.sql'] });
    await migrate(database, folder, 1);
    await database.transaction((tx) => sql`alter table migrations drop column needs`.execute(tx));
    expect(await isUsable(database, folder)).toBe(true);
    write({ ...untilSecond, ...releases('0001-first') });
    await migrate(database, folder, 2);
    remove('0002-second.sql');
    expect(await migrate(database, folder, 3)).toBe('0001-first');
  });
});

test('a file that is added later with a lower number is applied too', async () => {
  write({
    '0001-first.sql': 'create table first (value text primary key);',
    '0003-third.sql': "insert into first (value) values ('three');",
  });
  await migrate(database, folder, 1);
  write({ '0002-second.sql': "insert into first (value) values ('two');" });
  expect(await migrate(database, folder, 2)).toBe('0003-third');
  expect(await valuesOf('first')).toEqual(['three', 'two']);
  expect((await applied()).map(({ applied_at }) => applied_at)).toEqual([1, 2, 1]);
});

test('several processes that start at once apply each migration once', async () => {
  write({
    '0001-first.sql': 'create table first (value text primary key);',
    '0002-second.sql': "insert into first (value) values ('one');",
  });
  const starting = [database, opened.again(), opened.again(), opened.again()];
  const newest = await Promise.all(starting.map((each, at) => migrate(each, folder, at)));
  expect(newest).toEqual(Array(4).fill('0002-second'));
  expect(await valuesOf('first')).toEqual(['one']);
  expect(await applied()).toHaveLength(2);
});

test('an engine may have a file of its own under the same name', async () => {
  write({
    '0001-first.sql': "create table first (value text primary key);\ninsert into first (value) values ('any');",
    '0001-first.postgres.sql':
      "create table first (value text primary key);\ninsert into first (value) values ('own');",
  });
  expect(await migrate(database, folder, 1)).toBe('0001-first');
  expect(await valuesOf('first')).toEqual([database.engine === 'postgres' ? 'own' : 'any']);
  expect((await applied()).map(({ name }) => name)).toEqual(['0001-first']);
});
