import { searchSpaces } from '@moonbase/client/discovery';
import { getOrganizationOverview, getUserOverview } from '@moonbase/client/profiles';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { person, startHub, type TestHub } from './harness.ts';
import { accountNamed, follow, idAfter, MANY, numberIn, numbersTo } from './many-rows.ts';

/**
 * acme and hidden have many private models and Spaces, all of them in a group but for the oldest of acme. ada is admin of acme,
 * eve reads there, and neither is in a group. Those of `hidden` are newer; of them, everybody may read the fifth only.
 */
let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'bob', 'eve', 'zoe'].map(person),
    organizations: [
      { name: 'acme', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }, { user: 'eve' }] },
      {
        name: 'hidden',
        plan: 'enterprise',
        members: [{ user: 'bob', role: 'admin' }, { user: 'ada' }, { user: 'eve' }],
      },
    ],
  });
  await hub.database.transaction(async (tx) => {
    for (const [owner, letters, from] of [
      ['acme', { model: 'a', space: 'c' }, 0],
      ['hidden', { model: 'b', space: 'd' }, MANY],
    ] as const) {
      const group = letters.model.repeat(24);
      await sql`insert into resource_groups (id, org_id, name, name_key, created_at)
        values (${group}, ${accountNamed(owner)}, 'lab', 'lab', 0)`.execute(tx);
      for (const type of ['model', 'space'] as const)
        await sql`insert into repositories
            (id, type, owner_id, name, name_key, private, created_at, last_modified, resource_group_id)
          select ${idAfter(letters[type])}, ${type}, ${accountNamed(owner)}, 'm-' || i, 'm-' || i,
            case when ${owner} = 'hidden' and i = 5 then 0 else 1 end, i + ${sql.lit(from)}, i + ${sql.lit(from)},
            case when ${owner} = 'acme' and i = 1 then null else ${group} end
          from ${numbersTo(MANY)}`.execute(tx);
    }
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const namesOn = async (path: string, user: string) => (await follow(hub, path, user)).map(({ names }) => names);

test('who may read few of many private repositories gets them on one page', async () => {
  for (const sort of ['createdAt', 'lastModified', 'likes', 'trendingScore'])
    expect(await namesOn(`/api/models?sort=${sort}`, 'eve')).toEqual([['hidden/m-5', 'acme/m-1']]);
  expect(await namesOn('/api/models', 'zoe')).toEqual([['hidden/m-5']]);
});

test('many newer repositories of others cost a page nothing, and its cursor names none of them', async () => {
  const pages = await follow(hub, '/api/models?sort=createdAt&limit=1000&gated=true', 'ada');
  // Without a match: two pages and the rest of acme, but none for the repositories that are hidden.
  expect(pages.map(({ names }) => names.length)).toEqual([0, 0, 0]);
  const ids = pages.flatMap(({ nextId }) => nextId ?? []);
  expect(ids.map((id) => [id[0], numberIn(id)])).toEqual([
    ['a', MANY - 4999],
    ['a', MANY - 9999],
  ]);
  const listed = await namesOn('/api/models?sort=createdAt&limit=1000', 'ada');
  expect(listed.map(({ length }) => length)).toEqual([...Array.from({ length: 11 }, () => 1000), 1]);
  expect(new Set(listed.flat()).size).toBe(MANY + 1);
});

test('the repositories of an organization are listed for those who may read few of them', async () => {
  for (const sort of ['updatedAt', 'storage'])
    for (const direction of ['asc', 'desc'])
      expect(
        await namesOn(`/api/organizations/acme/settings/repositories?sort=${sort}&direction=${direction}`, 'eve'),
      ).toEqual([['acme/m-1', 'acme/m-1']]);
});

test('profiles count what the caller may read', async () => {
  const counts = async (user: string, name: string) => {
    const { numModels, numSpaces } = await getOrganizationOverview({ ...hub.as(user), name });
    return [numModels, numSpaces];
  };
  expect(await counts('eve', 'acme')).toEqual([1, 1]);
  expect(await counts('ada', 'acme')).toEqual([MANY, MANY]);
  expect(await counts('zoe', 'acme')).toEqual([0, 0]);
  expect(await counts('zoe', 'hidden')).toEqual([1, 1]);
  expect((await getUserOverview({ ...hub.as('zoe'), username: 'ada' })).numModels).toBe(0);
});

test('the search for Spaces finds what the caller may read, however many others there are', async () => {
  const found = async (user: string) => (await searchSpaces({ ...hub.as(user), q: 'm-1' })).map(({ id }) => id);
  expect(await found('eve')).toEqual(['acme/m-1']);
  expect(await found('zoe')).toEqual([]);
});
