import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, startHub, type TestHub } from './harness.ts';
import { accountNamed, follow, idAfter, MANY, numberIn, numbersTo } from './many-rows.ts';

/** ada has many public collections, the oldest of which is about whales; ada and bob have private ones in turn, bob the even ones. */
let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({ users: ['ada', 'bob', 'zoe'].map(person) });
  await hub.database.transaction(async (tx) => {
    const columns = sql.raw(
      'id, owner_id, title, title_key, slug, description, theme, private, position, upvotes, trending_score, created_at, updated_at',
    );
    await sql`insert into collections (${columns})
      select ${idAfter('a')}, ${accountNamed('ada')}, 'c ' || i || case when i = 1 then ' whales' else '' end,
        'c ' || i || case when i = 1 then ' whales' else '' end, '', '', 'blue', 0, 0, 0, 0, i, i from ${numbersTo(MANY)}`.execute(
      tx,
    );
    await sql`insert into collections (${columns})
      select ${idAfter('b')}, case when i % 2 = 1 then ${accountNamed('ada')} else ${accountNamed('bob')} end,
        'p ' || i, 'p ' || i, '', '', 'blue', 1, 0, 0, 0, i, i from ${numbersTo(MANY)}`.execute(tx);
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const pagesOf = (query: string, user: string) => follow(hub, `/api/collections?sort=lastModified&${query}`, user);

test('a page looks at a bounded number of collections: it may be short or empty, and the next ones have the rest', async () => {
  const pages = await pagesOf('q=whales', 'zoe');
  expect(pages.map(({ names }) => names)).toEqual([[], [], ['c 1 whales']]);
});

test('following the pages of a filtered list gives every collection once, in order', async () => {
  const pages = await pagesOf('q=c&owner=ada&limit=100', 'zoe');
  const numbers = pages.flatMap(({ names }) => names).map((title) => Number(title.split(' ')[1]));
  expect(numbers).toEqual(Array.from({ length: MANY }, (_, at) => MANY - at));
});

test('the cursor names no private collection that the reader may not read', async () => {
  const pages = await pagesOf('q=none', 'ada');
  expect(pages.map(({ names }) => names)).toEqual([[], [], []]);
  const ids = pages.flatMap(({ nextId }) => nextId ?? []);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(id[0] === 'b' ? numberIn(id) % 2 : 1).toBe(1);
});
