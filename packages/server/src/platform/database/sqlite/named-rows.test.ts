import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { IN_MEMORY, openSqlite } from './sqlite.ts';

test('rows have the names of their columns, even after a column was added or renamed', async () => {
  const file = openSqlite(IN_MEMORY);
  const writer = new Kysely<object>({ dialect: file.writer });
  const reader = new Kysely<object>({ dialect: file.reader });
  try {
    await sql`create table things (id integer, name text, picture blob)`.execute(writer);
    const picture = Buffer.from([0, 255]);
    const inserted =
      await sql`insert into things values (1, null, ${picture}), (2, 'b', null) returning id, name`.execute(writer);
    expect(inserted.rows).toEqual([
      { id: 1, name: null },
      { id: 2, name: 'b' },
    ]);
    const things = (connection: Kysely<object>) => sql`select * from things where id = 1`.execute(connection);
    for (const each of [writer, reader]) {
      expect((await things(each)).rows).toEqual([{ id: 1, name: null, picture }]);
    }
    await sql`alter table things add column size integer default 7`.execute(writer);
    for (const each of [writer, reader]) {
      expect((await things(each)).rows).toEqual([{ id: 1, name: null, picture, size: 7 }]);
    }
    await sql`alter table things rename column size to length`.execute(writer);
    expect((await things(writer)).rows).toEqual([{ id: 1, name: null, picture, length: 7 }]);
  } finally {
    await writer.destroy();
    await reader.destroy();
    await file.release();
  }
});
