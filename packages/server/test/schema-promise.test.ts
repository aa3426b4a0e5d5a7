import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import { migrateUpTo } from './migrate-up-to.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';
import { brokenPromises, schemaOf } from './schema-promise.ts';

/** The newest migration from before there were releases. */
const BEFORE_RELEASES = '0118-rows-of-a-user';

/**
 * What was taken away on purpose: each sentence of `brokenPromises` with the last release that needed it, which must be older
 * than the last release of all.
 */
const TAKEN_AWAY: Readonly<Record<string, string>> = {};

const releases: readonly { readonly version: string; readonly newest: string }[] = JSON.parse(
  readFileSync(join(migrations, 'releases.json'), 'utf8'),
);

test('the last release works with the database of this version: its tables and columns are there, and take what they took', async () => {
  await using opened = await openEmptyDatabase();
  const { database } = opened;
  await migrateUpTo(database, (releases.at(-1)?.newest ?? BEFORE_RELEASES).slice(0, 4));
  const before = await schemaOf(database);
  expect(before.columns.length).toBeGreaterThan(500);
  expect(before.uniques.length).toBeGreaterThan(50);
  expect(before.constraints.length).toBeGreaterThan(50);
  await migrate(database, migrations, 0);
  const older = new Set(releases.slice(0, -1).map(({ version }) => version));
  const broken = brokenPromises(before, await schemaOf(database));
  expect(broken.filter((each) => !older.has(TAKEN_AWAY[each] ?? ''))).toEqual([]);
});

describe('a promise is broken by', () => {
  const things = (...columns: readonly string[]) => `create table things (${columns.join(', ')})`;
  const BEFORE = ['id text primary key', 'name text not null', 'note text', 'at bigint', 'unique (name)'];
  const without = (beginning: string) => BEFORE.filter((each) => !each.startsWith(beginning));

  test.each<[string, string, readonly string[]]>([
    ['nothing', things(...BEFORE), []],
    [
      'no new table, index, or column that may be left out',
      `${things(...BEFORE.toSpliced(4, 0, 'more text', "kind text not null default 'a'"))};
      create table others (id text primary key, thing_id text not null references things (id), name text unique);
      create index things_at on things (at)`,
      [],
    ],
    ['a table that is gone', 'create table others (id text primary key)', ['the table things is gone']],
    ['a column that is gone', things(...without('note')), ['things.note is gone']],
    [
      'another type',
      things(...without('at'), 'at text').replace('unique (name), at text', 'at text, unique (name)'),
      ['things.at was bigint and is text'],
    ],
    [
      'a column that takes no null',
      things(...BEFORE).replace('note text', 'note text not null'),
      ['things.note takes no null any more'],
    ],
    [
      'a new column that must be given',
      things(...BEFORE.toSpliced(4, 0, 'more text not null')),
      ['things.more is new, and takes neither null nor a default'],
    ],
    [
      'values that must be unique',
      `${things(...BEFORE)};create unique index one on things (note)`,
      ['things (note) must be unique'],
    ],
    [
      'values that need not be unique any more, as `on conflict` wants',
      things(...without('unique')),
      ['things (name) is not unique any more'],
    ],
    [
      'a new foreign key',
      things(...BEFORE).replace('note text', 'note text references things (id)'),
      [expect.stringMatching(/^things \(.*note.* must hold$/)],
    ],
  ])('%s', async (_, after, expected) => {
    await using opened = await openEmptyDatabase();
    const { database } = opened;
    const run = (script: string) =>
      database.transaction(async (tx) => {
        for (const statement of script.split(';')) await sql.raw(statement).execute(tx);
      });
    await run(things(...BEFORE));
    const before = await schemaOf(database);
    await run(`drop table things;${after}`);
    expect(brokenPromises(before, await schemaOf(database))).toEqual(expected);
  });
});
