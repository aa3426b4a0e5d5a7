import { applyHub } from '@moonbase/client/admin';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, startHub, type TestHub } from './harness.ts';
import { accountNamed, follow, idAfter, MANY, numberIn, numbersTo } from './many-rows.ts';

const id = idAfter('a');
/** Datasets of bob have even numbers. */
const dataset = idAfter('d');
const numbers = numbersTo(MANY);
const HIDDEN = 'f'.repeat(24);

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await applyHub({ ...hub.admin, document: { users: ['ada', 'bob'].map(person) } });
  const owner = accountNamed('ada');
  // All are public, half of them have the tag `odd`, half `even`, and only the oldest has both.
  await hub.database.transaction(async (tx) => {
    await sql`insert into repositories (id, type, owner_id, name, name_key, private, created_at, last_modified)
      select ${id}, 'model', ${owner}, 'm-' || i, 'm-' || i, 0, i, i from ${numbers}`.execute(tx);
    await sql`insert into repo_tags (tag, type, repo_id)
      select case when i % 2 = 1 then 'odd' else 'even' end, 'model', ${id} from ${numbers}`.execute(tx);
    await sql`insert into repo_tags (tag, type, repo_id)
      select 'even', 'model', ${id} from ${numbers} where i = 1`.execute(tx);
    // 2,000 have the tags `plain` and `secret`; one that nobody but ada may read has `secret`, too.
    await sql`insert into repositories (id, type, owner_id, name, name_key, private, created_at, last_modified)
      values (${HIDDEN}, 'model', ${owner}, 'hidden', 'hidden', 1, 0, 0)`.execute(tx);
    await sql`insert into repo_tags (tag, type, repo_id) values ('secret', 'model', ${HIDDEN})`.execute(tx);
    for (const tag of ['plain', 'secret'])
      await sql`insert into repo_tags (tag, type, repo_id)
        select ${tag}, 'model', ${id} from ${numbers} where i <= 2000`.execute(tx);
    // Private datasets, of ada and bob in turn.
    await sql`insert into repositories (id, type, owner_id, name, name_key, private, created_at, last_modified)
      select ${dataset}, 'dataset', case when i % 2 = 1 then ${owner} else ${accountNamed('bob')} end,
        'd-' || i, 'd-' || i, 1, i, i from ${numbers}`.execute(tx);
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Returns the names on each page of a list of models. */
const pagesOf = async (query: string) => (await follow(hub, `/api/models?${query}`, 'bob')).map(({ names }) => names);

test('a page looks at a bounded number of repositories: it may be short or empty, and the next ones have the rest', async () => {
  expect(await pagesOf('filter=odd&filter=even&sort=createdAt')).toEqual([[], [], ['ada/m-1']]);
  expect(await pagesOf('filter=odd&filter=even&sort=createdAt&direction=1')).toEqual([['ada/m-1'], [], []]);
});

test('following the pages of a filtered list gives every repository once, in order', async () => {
  const pages = await pagesOf('filter=odd&sort=createdAt&limit=1000');
  const numbersOnPages = pages.flat().map((name) => Number(name.split('-')[1]));
  expect(numbersOnPages).toEqual(Array.from({ length: MANY / 2 }, (_, at) => MANY - 1 - 2 * at));
  expect(pages.slice(0, 5).map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000, 1000]);
});

test('the cursor names no private repository that the reader may not read', async () => {
  for (const direction of ['', '&direction=1']) {
    const pages = await follow(hub, `/api/datasets?gated=true&sort=createdAt${direction}`, 'ada');
    expect(pages.map(({ names }) => names)).toEqual([[], []]);
    // The 5,000th of ada's own: how many of others are between does not show.
    expect(numberIn(pages[0]?.nextId ?? '')).toBe(direction === '' ? MANY - 9999 : 9999);
  }
});

test('pages and counts are the same whether or not one more repository that is hidden has a tag', async () => {
  expect(await pagesOf('filter=secret&gated=true&sort=createdAt')).toEqual([[]]);
  expect(await pagesOf('filter=plain&gated=true&sort=createdAt')).toEqual([[]]);
  const counted = async (tag: string) => {
    const answer = await fetch(`${hub.url}/api/quicksearch?q=m-1&type=model&limit=1&library=odd&lang=${tag}`, {
      headers: { authorization: `Bearer ${hub.as('bob').accessToken}` },
    });
    return ((await answer.json()) as { modelsCount: number }).modelsCount;
  };
  expect(await counted('secret')).toBe(await counted('plain'));
});
