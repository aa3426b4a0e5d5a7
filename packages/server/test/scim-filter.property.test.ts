import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Filter, fold } from '../src/scim/protocol/filter/filter.ts';
import { type Columns, filterCondition } from '../src/scim/protocol/filter/filter-conditions.ts';
import { matches } from '../src/scim/protocol/filter/matches.ts';
import { parseFilter } from '../src/scim/protocol/filter/parse.ts';
import type { ResourceKind } from '../src/scim/protocol/resources/attributes.ts';
import type { JsonObject } from '../src/scim/protocol/resources/json.ts';
import { filtersOf, texts, times } from './fuzz/scim-filters.ts';
import { type OpenTestDatabase, openEmptyDatabase } from './open-test-database.ts';

let opened: OpenTestDatabase;
beforeAll(async () => {
  opened = await openEmptyDatabase();
  await opened.database.transaction(async (tx) => {
    await sql`create table things (
      id text primary key, external_id text, name text, name_key text, given text, given_key text,
      email text, email_key text, active integer, created bigint
    )`.execute(tx);
    await sql`create table parts (thing text, user_id text)`.execute(tx);
  });
});
afterAll(() => opened[Symbol.asyncDispose]());

interface Thing {
  readonly externalId: string | undefined;
  readonly name: string;
  readonly given: string | undefined;
  readonly email: string | undefined;
  readonly active: boolean;
  readonly created: number;
  readonly members: readonly string[];
}

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 3 });
const things: fc.Arbitrary<Thing[]> = fc.array(
  fc.record({
    externalId: maybe(texts),
    name: texts,
    given: maybe(texts),
    email: maybe(texts),
    active: fc.boolean(),
    created: times,
    members: fc.array(texts, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

const ref = (column: string) => sql.ref(`things.${column}`);
const COMMON: Columns = {
  id: { sql: ref('id'), type: 'string' },
  externalId: { sql: ref('external_id'), type: 'string' },
  'meta.created': { sql: ref('created'), type: 'dateTime' },
};
const named = { sql: ref('name'), type: 'string', folded: ref('name_key') } as const;
const type = sql`case when things.email is null then null else 'work' end`;
const COLUMNS: Readonly<Record<ResourceKind, Columns>> = {
  User: {
    ...COMMON,
    userName: named,
    'name.givenName': { sql: ref('given'), type: 'string', folded: ref('given_key') },
    'emails.value': { sql: ref('email'), type: 'string', folded: ref('email_key') },
    'emails.type': { sql: type, type: 'string', folded: type },
    'emails.primary': { sql: sql`case when things.email is null then null else 1 end`, type: 'boolean' },
    active: { sql: ref('active'), type: 'boolean' },
  },
  Group: {
    ...COMMON,
    displayName: named,
    members: { exists: (condition) => sql`exists (select 1 from parts p where p.thing = things.id and ${condition})` },
    'members.value': { sql: sql`p.user_id`, type: 'string' },
  },
};

const resourceOf = (kind: ResourceKind, id: string, thing: Thing): JsonObject => ({
  id,
  ...(thing.externalId !== undefined && { externalId: thing.externalId }),
  meta: { created: new Date(thing.created).toISOString() },
  ...(kind === 'User'
    ? {
        userName: thing.name,
        ...(thing.given !== undefined && { name: { givenName: thing.given } }),
        ...(thing.email !== undefined && { emails: [{ value: thing.email, type: 'work', primary: true }] }),
        active: thing.active,
      }
    : { displayName: thing.name, members: thing.members.map((value) => ({ value })) }),
});

async function store(all: readonly Thing[]): Promise<void> {
  const key = (text: string | undefined) => (text === undefined ? null : fold(text));
  const rows = all.map(
    (each, at) => sql`(${`t${at}`}, ${each.externalId ?? null}, ${each.name}, ${key(each.name)}, ${each.given ?? null},
      ${key(each.given)}, ${each.email ?? null}, ${key(each.email)}, ${Number(each.active)}, ${each.created})`,
  );
  const parts = all.flatMap((each, at) => each.members.map((member) => sql`(${`t${at}`}, ${member})`));
  await opened.database.transaction(async (tx) => {
    await sql`delete from things`.execute(tx);
    await sql`delete from parts`.execute(tx);
    await sql`insert into things values ${sql.join(rows)}`.execute(tx);
    if (parts.length > 0) await sql`insert into parts values ${sql.join(parts)}`.execute(tx);
  });
}

async function found(kind: ResourceKind, filter: Filter): Promise<string[]> {
  const { read } = opened.database;
  const condition = filterCondition(read, filter, COLUMNS[kind]);
  const { rows } = await sql<{ id: string }>`select id from things where ${condition} order by id`.execute(read);
  return rows.map(({ id }) => id);
}

test.each(['User', 'Group'] as const)(
  'a filter on %ss is read as it was meant, and finds in the database what it finds in memory',
  async (kind) => {
    const filters = fc.array(filtersOf(kind), { minLength: 1, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(things, filters, async (all, written) => {
        await store(all);
        for (const { filter, text } of written) {
          const parsed = parseFilter(kind, text);
          expect(parsed, text).toEqual(filter);
          const expected = all.flatMap((thing, at) =>
            matches(parsed, resourceOf(kind, `t${at}`, thing)) ? [`t${at}`] : [],
          );
          expect(await found(kind, parsed), text).toEqual(expected);
        }
      }),
      { numRuns: 100, seed: 20260105 },
    );
  },
);

test('eq is a comparison with a column, so that an index serves it', () => {
  const { read } = opened.database;
  const filter = parseFilter('User', 'userName eq "Ada" and emails[type eq "work"].value eq "A@b.example"');
  const query = sql`select 1 from things where ${filterCondition(read, filter, COLUMNS.User)}`.compile(read);
  expect(query.sql.replaceAll('"', '')).toMatch(/things\.name_key = (\?|\$1).* things\.email_key = (\?|\$\d)/s);
  expect(query.parameters).toContain('ada');
  expect(query.parameters).toContain('a@b.example');
});
