import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import type { ReadExecutor } from '../src/platform/database/transaction.ts';
import { migrations, openEmptyDatabase } from './open-test-database.ts';
import { engine } from './test-database.ts';

/** A foreign key with the columns and the conditions of all indexes of its table. */
interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly indexes: readonly { readonly columns: string; readonly condition: string | null }[];
}

/** Rows of `table`, `column` and `indexes`, the latter as JSON. */
const FOREIGN_KEYS = {
  sqlite: sql<{ table: string; column: string; indexes: string }>`
    select t.name as "table", k."from" as "column", (
      select json_group_array(json_object('columns', i.columns, 'condition', i.condition)) from (
        select (select group_concat(name) from (select name from pragma_index_info(l.name) order by seqno)) as columns,
          (select substr(sql, instr(sql, ' where ') + 7) from sqlite_master
            where name = l.name and instr(sql, ' where ') > 0) as condition
        from pragma_index_list(t.name) l
        union all select name, null from pragma_table_info(t.name) where pk = 1
      ) i
    ) as indexes
    from sqlite_master t, pragma_foreign_key_list(t.name) k where t.type = 'table' and k.seq = 0`,
  postgres: sql<{ table: string; column: string; indexes: string }>`
    select k.conrelid::regclass::text as "table", a.attname as "column", (
      select json_agg(json_build_object(
        'columns', (select string_agg(c.attname, ',' order by n) from unnest(i.indkey::int2[]) with ordinality u (num, n)
          join pg_attribute c on c.attrelid = i.indrelid and c.attnum = u.num),
        'condition', pg_get_expr(i.indpred, i.indrelid)))::text
      from pg_index i where i.indrelid = k.conrelid
    ) as indexes
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f'`,
};

async function foreignKeys(read: ReadExecutor): Promise<ForeignKey[]> {
  const { rows } = await FOREIGN_KEYS[engine].execute(read);
  return rows.map(({ indexes, ...key }) => ({ ...key, indexes: JSON.parse(indexes) as ForeignKey['indexes'] }));
}

test('deleting a row never scans a table that refers to it: every foreign key leads an index of all its values', async () => {
  await using opened = await openEmptyDatabase();
  await migrate(opened.database, migrations, 0);
  const keys = await foreignKeys(opened.database.read);
  expect(keys.length).toBeGreaterThan(50);
  const scanned = keys.filter(
    ({ column, indexes }) =>
      !indexes.some(
        ({ columns, condition }) =>
          columns.split(',')[0] === column &&
          (condition === null || condition.replace(/[()]/g, '').toLowerCase() === `${column} is not null`),
      ),
  );
  expect(scanned.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
});
