import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../../../test/open-test-database.ts';
import { readTextRows, textRows } from './text-rows.ts';

const TITLES = ['two words', ' blanks  around ', 'a "quote"', 'a line\nbreak', 'a tab\tand \\n', '', 'emoji 🦊'];

test.each([1, 2, 3])('%i rows come back with every column as it was', async (count) => {
  await using opened = await openTestDatabase();
  const rows = TITLES.slice(0, count).map((title, at) => [`${at}`, at % 2 ? 'id' : '', JSON.stringify({ title })]);
  const values = sql.join(rows.map(([number, id, json]) => sql`(cast(${number} as integer), ${id}, ${json})`));
  const { rows: found } = await sql<{ text: string | null }>`
    with given (number, id, json) as (values ${values})
    select ${textRows(opened.database.read, [sql`number`, sql`id`, sql`json`])} as text from given
  `.execute(opened.database.read);
  expect(readTextRows(found[0]?.text ?? null, 3).toSorted(([a = ''], [b = '']) => a.localeCompare(b))).toEqual(rows);
});

test.each(TITLES)('the JSON of the title %j comes back in the last column', (title) => {
  const json = JSON.stringify({ title, 'a key': [1, 2] });
  expect(readTextRows(`1 id ${json}\n2  ${json}`, 3)).toEqual([
    ['1', 'id', json],
    ['2', '', json],
  ]);
});

test('an empty last column is read as an empty text, and null as no rows', () => {
  expect(readTextRows('1 id ', 3)).toEqual([['1', 'id', '']]);
  expect(readTextRows(null, 3)).toEqual([]);
});
