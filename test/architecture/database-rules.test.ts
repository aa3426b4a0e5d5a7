import { describe, expect, test } from 'vitest';
import { fewCasts } from './casts.ts';
import { functionBudget } from './function-budget.ts';
import { platformWords } from './platform-words.ts';
import type { SourceTree } from './source-tree.ts';
import { sqlInStores } from './sql-in-stores.ts';
import { oneOwner, ownedTables } from './table-owners.ts';

const server = (files: Record<string, string>): SourceTree =>
  new Map(Object.entries(files).map(([path, text]) => [`packages/server/src/${path}`, text]));

const tables = (...declared: string[]) =>
  `declare module '../platform/database/tables.ts' {\n  interface Tables {\n${declared
    .map((each) => `    ${each};\n`)
    .join('')}  }\n}\n`;

const OWNERS = {
  'platform/database/tables.ts': 'export interface Tables {\n  events: EventRow;\n}\n',
  'accounts/tables.ts': tables('accounts: AccountRow', 'tokens: { id: string; user_id: string }'),
  'webhooks/tables.ts': tables('webhooks: WebhookRow', 'deliveries: DeliveryRow'),
  'scim/tables.ts': tables('scim_users: ScimUserRow'),
};

describe('the owners of tables', () => {
  test.each([
    [
      'a write to a table of another slice',
      'webhooks/store.ts',
      "tx.updateTable('tokens').set(row)",
      'writes tokens, which belongs to accounts',
    ],
    ['a raw write', 'scim/store.ts', 'sql`delete from deliveries`', 'writes deliveries'],
    ['a bulk write', 'scim/store.ts', "insertNew(tx, 'webhooks', WEBHOOK, rows)", 'writes webhooks'],
    [
      'a write through a variable',
      'scim/store.ts',
      "for (const table of ['scim_users', 'tokens']) tx.deleteFrom(table)",
      'writes tokens',
    ],
    ['a read to the right', 'accounts/store.ts', "executor.selectFrom('scim_users')", 'not to the left of accounts'],
    [
      'a join to the right',
      'webhooks/store.ts',
      "query.leftJoin('scim_users as s', 's.id', 'a.id')",
      'reads scim_users',
    ],
    ['a raw join to the right', 'accounts/store.ts', 'sql`select 1 from accounts a, webhooks w`', 'reads webhooks'],
    [
      'a read by the platform',
      'platform/queue/due-store.ts',
      "executor.selectFrom('webhooks')",
      'not to the left of platform',
    ],
  ])('forbid %s', (_, path, text, message) => {
    expect(ownedTables(server({ ...OWNERS, [path]: text }))).toEqual([expect.stringContaining(message)]);
  });

  test('allow reads to the left, and writes to own tables', () => {
    const text = [
      "tx.insertInto('webhooks').values(row);",
      "executor.selectFrom('webhooks').innerJoin('accounts', 'accounts.id', 'webhooks.owner_id');",
      'sql`delete from deliveries where event_id not in (select id from events)`;',
      "const scope = 'accounts'; // update tokens set role = 1",
    ].join('\n');
    expect(ownedTables(server({ ...OWNERS, 'webhooks/store.ts': text }))).toEqual([]);
  });

  test('are unique and declared in a tables.ts', () => {
    expect(oneOwner(server({ ...OWNERS, 'mail/tables.ts': tables('webhooks: WebhookRow') }))).toHaveLength(1);
    expect(oneOwner(server({ ...OWNERS, 'mail/store.ts': tables('mails: MailRow') }))).toHaveLength(1);
    expect(oneOwner(server(OWNERS))).toEqual([]);
  });
});

describe('the rule on SQL', () => {
  test.each([
    'sql`select 1`',
    'sql<{ id: string }>`select 1`',
    "tx\n  .selectFrom('webhooks')",
    'CompiledQuery.raw(text)',
  ])('refuses %j outside stores', (text) => {
    expect(sqlInStores(server({ 'posts/service.ts': `const a = 1;\n${text}` }))).toHaveLength(1);
  });

  test('allows SQL in stores, in conditions and in the database itself', () => {
    const text = 'sql`select 1`';
    const files = {
      'posts/store.ts': text,
      'posts/claim-store.ts': text,
      'access/readable-conditions.ts': text,
      'platform/database/where-in.ts': text,
      'posts/service.ts': "// sql`select 1`\nimport { sql } from 'kysely';\nsql.ref(name);",
    };
    expect(sqlInStores(server(files))).toEqual([]);
  });
});

describe('the budget of functions', () => {
  const lines = (count: number) => '  x;\n'.repeat(count);
  test.each([
    ['a function', `export function create() {\n${lines(119)}}\n`],
    ['a factory with parameters in lines', `export function create({\n  a,\n}: Given) {\n${lines(117)}}\n`],
    ['a constant', `export const create = (a: string) => {\n${lines(119)}};\n`],
    ['a curried constant', `export const create =\n  (a: string) =>\n  (b: string) => {\n${lines(117)}  };\n`],
    ['a method', `class A {\n  run(a: string) {\n${`  ${lines(1)}`.repeat(119)}  }\n}\n`],
  ])('refuses %s of 121 lines', (_, text) => {
    expect(functionBudget(server({ 'posts/service.ts': text }))).toEqual([expect.stringContaining('has 121 lines')]);
  });

  test('allows 120 lines, and ignores lists', () => {
    const text = `export function create() {\n${lines(118)}}\n\nconst LIST = [\n${lines(200)}];\n`;
    expect(functionBudget(server({ 'posts/service.ts': text }))).toEqual([]);
  });
});

describe('the search for casts', () => {
  const casts = (text: string) => fewCasts(server({ 'posts/service.ts': `${text}\n`.repeat(300) }));

  test.each(['const a = b as Row;', 'const a = (b() as readonly string[]).at(0);', 'f(a as { id: string });'])(
    'counts %j',
    (text) => {
      expect(casts(text)).toEqual([expect.stringContaining('the product has 300 casts')]);
    },
  );

  test.each([
    "const KINDS = ['a'] as const;",
    "import { a as B } from './b.ts';",
    'const query = sql`select a as B`;',
    "query.select('a as B');",
    '// taken as Row',
  ])('does not count %j', (text) => {
    expect(casts(text)).toEqual([]);
  });
});

describe('the platform', () => {
  test.each(['// Sends a delivery.', "const table = 'notifications';", 'const LIMIT = 64; // of a hub document'])(
    'must not contain %j',
    (text) => {
      expect(platformWords(server({ 'platform/queue/worker.ts': text }))).toHaveLength(1);
    },
  );

  test('may contain words of its own', () => {
    const text = "client.on('notification', onNotice); const jobless = deliver(queue);";
    expect(platformWords(server({ 'platform/database/channel.ts': text, 'mail/store.ts': '// a delivery' }))).toEqual(
      [],
    );
  });
});
