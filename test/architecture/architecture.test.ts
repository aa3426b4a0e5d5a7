import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fewCasts } from './casts.ts';
import { noCycles } from './cycles.ts';
import { fileBudget } from './file-budget.ts';
import { folderBudget } from './folder-budget.ts';
import { environmentInConfigOnly, namedExportsOnly, noExit } from './forbidden-text.ts';
import { functionBudget } from './function-budget.ts';
import { importOrder } from './import-order.ts';
import { importsOf } from './imports.ts';
import { packageBoundaries } from './package-boundaries.ts';
import { platformWords } from './platform-words.ts';
import { readSourceTree } from './read-source-tree.ts';
import { shownWords } from './shown-words.ts';
import { knownNames, sliceFurniture, tellingNames } from './slice-files.ts';
import type { Rule, SourceTree } from './source-tree.ts';
import { sqlInStores } from './sql-in-stores.ts';
import { oneOwner, ownedTables } from './table-owners.ts';
import { ownedEvents, typedEvents } from './typed-events.ts';
import { askedAboutPrincipals, askedAboutSiteAdmins } from './user-alone.ts';
import { plainWords } from './words.ts';

const server = (files: Record<string, string>): SourceTree =>
  new Map(Object.entries(files).map(([path, text]) => [`packages/server/src/${path}`, text]));
const tree = (files: Record<string, string>): SourceTree => new Map(Object.entries(files));
const lines = (count: number): string => 'x;\n'.repeat(count);
const filesOf = (sizes: number[]): SourceTree =>
  server(Object.fromEntries(sizes.map((size, index) => [`platform/file-${index}.ts`, lines(size)])));

describe('the sources', () => {
  const sources = readSourceTree(fileURLToPath(new URL('../..', import.meta.url)));

  test.each<[string, Rule]>([
    ['slices import only from their left, through index.ts', importOrder],
    ['the server has only known slices and top-level files', knownNames],
    ['files have meaningful names', tellingNames],
    ['every slice has an index.ts and a README of 4 to 10 lines', sliceFurniture],
    ['packages depend on each other in one direction, by name', packageBoundaries],
    ['imports have no cycles', noCycles],
    ['files stay within their budget', fileBudget],
    ['folders stay within their budget', folderBudget],
    ['functions stay within their budget', functionBudget],
    ['casts stay within their budget', fewCasts],
    ['a table is declared once, in the tables.ts of its owner', oneOwner],
    ['a slice writes its own tables, and reads them and those to its left', ownedTables],
    ['SQL is in stores', sqlInStores],
    ['the platform names no capability', platformWords],
    ['only config.ts reads the environment', environmentInConfigOnly],
    ['the server never calls process.exit', noExit],
    ['exports are named', namedExportsOnly],
    ['names and comments use the words of the glossary', plainWords],
    ['screens, mails and the command line use the words of an editor', shownWords],
    ['events and tasks have the form of their topic or kind', typedEvents],
    ['a topic is defined once, in the events.ts of a slice', ownedEvents],
    ['slices ask access about the principal, not about the user alone', askedAboutPrincipals],
    ['slices ask access whether a principal acts as a site administrator', askedAboutSiteAdmins],
  ])('pass the rule: %s', (_, rule) => {
    expect(sources.size).toBeGreaterThan(0);
    expect(rule(sources)).toEqual([]);
  });
});

describe('the search for imports', () => {
  const specifiers = (text: string) => importsOf(text).map(({ specifier }) => specifier);

  test.each([
    ["import { a } from './a.ts';", ['./a.ts']],
    ["import a, { b } from './a.ts';", ['./a.ts']],
    ["import * as a from './a.ts';", ['./a.ts']],
    ["import {\n  a, // why\n  type B,\n} from './a.ts';", ['./a.ts']],
    ["import './a.ts';", ['./a.ts']],
    ["import data from '../package.json' with { type: 'json' };", ['../package.json']],
    ["export * from './a.ts';\nexport { b } from './b.ts';", ['./a.ts', './b.ts']],
    ["export interface A {}\nexport type { B } from './b.ts';", ['./b.ts']],
    ["const a = await import('./a.ts');", ['./a.ts']],
    ["type A = import('./a.ts').A;", ['./a.ts']],
    ["const quote = /['\"`]/;\nimport { a } from './a.ts';", ['./a.ts']],
    ["const url = 'https://host';\nimport { a } from './a.ts';", ['./a.ts']],
  ])('finds one in %j', (text, expected) => {
    expect(specifiers(text)).toEqual(expected);
  });

  test.each([
    "// import { a } from './a.ts';",
    "/**\n * @example\n * ```ts\nimport { a } from './a.ts';\n * ```\n */",
    "const code = `\nimport { a } from './a.ts';\n`;",
    'const url = new URL("./a.ts", import.meta.url);',
    "export const from = './a.ts';",
  ])('finds none in %j', (text) => {
    expect(specifiers(text)).toEqual([]);
  });

  test('says whether an import is of types only', () => {
    const kinds = importsOf("import type { A } from 'a';\nimport { type B } from 'b';\nexport type { C } from 'c';");
    expect(kinds.map(({ typeOnly }) => typeOnly)).toEqual([true, false, true]);
  });
});

describe('the import order', () => {
  test.each<[string, Record<string, string>]>([
    ['an import from the right', { 'accounts/service.ts': "import { a } from '../webhooks/index.ts';" }],
    ['a type from the right', { 'access/policy.ts': "import type { A } from '../members/index.ts';" }],
    ['a lazy import from the right', { 'mail/tasks.ts': "await import('../jobs/index.ts');" }],
    ['a neighbour of the same level', { 'papers/service.ts': "import { a } from '../posts/index.ts';" }],
    ['a slice in platform', { 'platform/http/server.ts': "import { a } from '../../accounts/index.ts';" }],
    ['a deep import', { 'webhooks/service.ts': "import { a } from '../access/store.ts';" }],
    ['a deep import by the hub', { 'hub.ts': "import { a } from './access/service.ts';" }],
    ['an inner index.ts', { 'scim/service.ts': "export { a } from '../webhooks/delivery/index.ts';" }],
    ['the table of routes in a slice', { 'admin/service.ts': "import { a } from '../routes.ts';" }],
    ['the table of routes in services', { 'services.ts': "import { a } from './routes.ts';" }],
    ['a slice in config', { 'config.ts': "import { a } from './mail/index.ts';" }],
    ['a slice in main', { 'main.ts': "import { a } from './mail/index.ts';" }],
    ['a slice in serve', { 'serve.ts': "import { a } from './mail/index.ts';" }],
  ])('is broken by %s', (_, files) => {
    expect(importOrder(server(files))).toHaveLength(1);
  });

  test('allows every import that points left', () => {
    const files = {
      'main.ts': "import { serve } from './serve.ts';",
      'serve.ts': "import { readConfig } from './config.ts';\nimport { createHub } from './hub.ts';",
      'hub.ts': "import { a } from './admin/index.ts';\nimport { routes } from './routes.ts';",
      'routes.ts': "import { a } from './webhooks/index.ts';",
      'webhooks/delivery/send.ts': "import { a } from '../store.ts';\nimport { b } from '../../access/index.ts';",
      'webhooks/store.ts': "import type { A } from '../platform/database/tables.ts';",
      'accounts/service.test.ts': "import { createHub } from '../hub.ts';",
    };
    expect(importOrder(server(files))).toEqual([]);
  });
});

describe('the layout of slices', () => {
  test.each(['billing/service.ts', 'billing/service.test.ts', 'server.ts', 'routes/webhooks.ts'])(
    'refuses an unknown name: %s',
    (path) => {
      expect(knownNames(server({ [path]: '' }))).toHaveLength(1);
    },
  );

  test.each(['jobs/utils.ts', 'jobs/types.ts', 'platform/common/clock.ts', 'jobs/jobRunner.ts'])(
    'refuses a vague name: %s',
    (path) => {
      expect(tellingNames(server({ [path]: '' }))).toHaveLength(1);
    },
  );

  test.each([
    ['no README', { 'jobs/index.ts': '' }, 'jobs has no README.md'],
    ['no index.ts', { 'jobs/README.md': lines(4) }, 'jobs has no index.ts'],
    ['a short README', { 'jobs/index.ts': '', 'jobs/README.md': `${lines(3)}\n\n` }, /has 3 non-empty lines/],
    ['a long README', { 'jobs/index.ts': '', 'jobs/README.md': lines(11) }, /has 11 non-empty lines/],
  ])('refuses a slice with %s', (_, files, message) => {
    expect(sliceFurniture(server(files))).toEqual([expect.stringMatching(message)]);
  });

  test('allows files named after concepts of a slice', () => {
    const slice = server({
      'webhooks/README.md': lines(5),
      'webhooks/index.ts': '',
      'webhooks/routes/replay.ts': '',
      'webhooks/delivery/send-once.ts': '',
      'webhooks/store.postgres.test.ts': '',
      'hub.test.ts': '',
    });
    expect([knownNames, tellingNames, sliceFurniture].flatMap((rule) => rule(slice))).toEqual([]);
  });
});

describe('the boundaries of packages', () => {
  test.each([
    ['contract', "import { readFile } from 'node:fs/promises';"],
    ['contract', "import type { A } from '@moonbase/server';"],
    ['client', "import { webhook } from '@moonbase/contract/webhooks/webhooks';"],
    ['client', "import { type Webhook } from '@moonbase/contract/webhooks/webhooks';"],
    ['client', "import { request } from 'undici';"],
    ['client', "import type { Hub } from '@moonbase/server';"],
    ['server', "import { createClient } from '@moonbase/client/hub';"],
    ['server', "import { run } from '@moonbase/cli';"],
    ['cli', "import { webhook } from '@moonbase/contract/webhooks/webhooks';"],
    ['receiver', "import { z } from 'zod';"],
    ['server', "import { a } from '../../contract/src/webhooks.ts';"],
    ['server', "import { a } from '../../../demo/main.ts';"],
    ['billing', ''],
  ])('refuse in %s: %s', (name, text) => {
    expect(packageBoundaries(tree({ [`packages/${name}/src/a.ts`]: text }))).toHaveLength(1);
  });

  test('refuse a relative path in a test', () => {
    const test = { 'packages/server/test/a.test.ts': "import { a } from '../../client/src/a.ts';" };
    expect(packageBoundaries(tree(test))).toHaveLength(1);
  });

  test('allow every import in the right direction', () => {
    const files = {
      'packages/contract/src/a.ts': "import { z } from 'zod';\nimport { b } from './b.ts';",
      'packages/client/src/a.ts': "import type { A } from '@moonbase/contract/a';",
      'packages/server/src/a.ts': "import { a } from '@moonbase/contract/a';\nimport fastify from 'fastify';",
      'packages/cli/src/a.ts': "import { a } from '@moonbase/client/a';\nimport { hub } from '@moonbase/server';",
      'packages/server/src/a.test.ts': "import { a } from '@moonbase/client/a';",
    };
    expect(packageBoundaries(tree(files))).toEqual([]);
  });
});

describe('the search for import cycles', () => {
  test('finds a cycle through a type import, and prints it', () => {
    const circle = tree({
      'packages/cli/src/a.ts': "import { b } from './b.ts';",
      'packages/cli/src/b.ts': "import { c } from './c/d.ts';",
      'packages/cli/src/c/d.ts': "import type { A } from '../a.ts';",
    });
    expect(noCycles(circle)).toEqual([
      'packages/cli/src/a.ts → packages/cli/src/b.ts → packages/cli/src/c/d.ts → packages/cli/src/a.ts',
    ]);
  });

  test('finds a cycle behind a file that imports it', () => {
    const circle = tree({
      'demo/a.ts': "import { b } from './b.ts';",
      'demo/b.ts': "import { c } from './c.ts';",
      'demo/c.ts': "import { b } from './b.ts';",
    });
    expect(noCycles(circle)).toEqual(['demo/b.ts → demo/c.ts → demo/b.ts']);
  });

  test('finds none if two import paths meet', () => {
    const diamond = tree({
      'demo/a.ts': "import './b.ts';\nimport './c.ts';",
      'demo/b.ts': "import './d.ts';",
      'demo/c.ts': "import './d.ts';",
      'demo/d.ts': '',
    });
    expect(noCycles(diamond)).toEqual([]);
  });
});

describe('the file budget', () => {
  test('refuses one file above 400 lines', () => {
    expect(fileBudget(filesOf([400, 401]))).toEqual([expect.stringContaining('has 401 lines')]);
  });

  test('refuses a median above 70 lines', () => {
    expect(fileBudget(filesOf(Array<number>(20).fill(71)))).toEqual([expect.stringContaining('median')]);
  });

  test('refuses a 90th percentile above 220 lines', () => {
    const sizes = [...Array<number>(17).fill(70), 221, 221, 221];
    expect(fileBudget(filesOf(sizes))).toEqual([expect.stringContaining('90th percentile')]);
  });

  test('allows files at the limits, and ignores quantiles of a few files', () => {
    expect(fileBudget(filesOf([...Array<number>(16).fill(70), 220, 220, 400, 400]))).toEqual([]);
    expect(fileBudget(filesOf(Array<number>(19).fill(300)))).toEqual([]);
  });
});

describe('the folder budget', () => {
  const folderOf = (count: number) =>
    server(Object.fromEntries(Array.from({ length: count }, (_, index) => [`webhooks/log/file-${index}.ts`, 'x;\n'])));

  test('refuses 21 source files in one folder', () => {
    expect(folderBudget(folderOf(21))).toEqual([expect.stringContaining('webhooks/log has 21 source files')]);
  });

  test('allows a folder at the limit, and ignores tests', () => {
    expect(folderBudget(new Map([...folderOf(20), ...server({ 'webhooks/log/log.test.ts': '' })]))).toEqual([]);
  });

  test('ignores generated files', () => {
    const files = Array.from({ length: 21 }, (_, index) => [
      `packages/client/src/generated/file-${index}.ts`,
      lines(401),
    ]);
    const generated = tree(Object.fromEntries(files));
    expect([...folderBudget(generated), ...fileBudget(generated)]).toEqual([]);
  });
});

describe('the rules on text', () => {
  test.each([
    ['platform/logger.ts', 'const level = process.env.LOG_LEVEL;'],
    ['platform/logger.ts', "import { env } from 'node:process';"],
    ['hub.ts', 'const { HOME } = process.env;'],
    ['main.ts', 'const port = process.env.MOONBASE_PORT;'],
  ])('refuse in %s: %j', (path, text) => {
    expect(environmentInConfigOnly(server({ [path]: text }))).toHaveLength(1);
  });

  test('refuse process.exit in the server', () => {
    expect(noExit(server({ 'main.ts': 'process.exit(1);' }))).toHaveLength(1);
  });

  test.each(['export default 1;', 'export { a as default };', "export { default } from './a.ts';"])(
    'refuse a default export: %s',
    (text) => {
      expect(namedExportsOnly(tree({ 'packages/cli/src/a.ts': text }))).toHaveLength(1);
    },
  );

  test('allow named exports, and the environment in config.ts', () => {
    const allowed = server({
      'config.ts': 'const port = process.env.MOONBASE_PORT;',
      'main.ts': 'const config = readConfig(process.env);\nprocess.exitCode = 1;',
      'hub.ts': '// never process.env, never process.exit()\nexport const hub = 1;',
      'vitest.config.ts': 'export default {};',
    });
    expect([environmentInConfigOnly, noExit, namedExportsOnly].flatMap((rule) => rule(allowed))).toEqual([]);
  });
});

describe('the rules of events and tasks', () => {
  test.each([
    ['an untyped topic', "await events.record(tx, 'repo', { id });"],
    ['an untyped topic of a quiet event', 'events.recordQuiet(tx, `repo`, data);'],
    ['an untyped kind of task', "await given.tasks.enqueue(tx, 'webhooks.purge', { webhookId });"],
    ['a cast of the data of an event', 'const { scope } = event.data as RepoEvent;'],
    ['a cast of the data of a task', 'const { after } = (task.data as { after: string } | null) ?? begin;'],
    ['a cast of data that was taken out', 'const { webhookId } = data as unknown as OfWebhook;'],
    ['a direct insert of an event', "await tx.insertInto('events').values(row).execute();"],
    ['a direct insert of a task', 'await sql`insert into tasks default values`.execute(tx);'],
  ])('refuse %s', (_, text) => {
    expect(typedEvents(server({ 'webhooks/log/prune.ts': text }))).toHaveLength(1);
  });

  test.each([
    [
      'a topic in another file',
      { 'webhooks/matching/lane.ts': "defineTopic({ name: 'lane', version: 1, data: Lane });" },
    ],
    [
      'a topic of the platform',
      { 'platform/queue/events.ts': "defineTopic({ name: 'lane', version: 1, data: Lane });" },
    ],
    [
      'two topics with one name',
      {
        'papers/events.ts': "defineTopic({ name: 'claim', version: 1, data: Claim });",
        'posts/events.ts': "defineTopic({\n  name: 'claim',\n  version: 1,\n  data: Claim });",
      },
    ],
    [
      'two kinds of task with one name',
      { 'jobs/prune.ts': "defineTask('prune', z.null());", 'mail/prune.ts': "defineTask('prune', z.null());" },
    ],
  ])('refuse %s', (_, files) => {
    expect(ownedEvents(server(files))).toHaveLength(1);
  });

  test('allow events and tasks that are named by their definitions', () => {
    const files = {
      'webhooks/events.ts':
        "export const webhookTopic = defineTopic({ name: 'webhook', version: 1, data: WebhookEvent });",
      'webhooks/log/prune.ts':
        "await audit.record(tx, caller, { type: 'x' });\nconst columns = 'events.data as eventData';",
      'webhooks/service.ts':
        'await events.record(tx, webhookTopic, { id });\nawait tasks.enqueue(tx, purgeTask, { id });',
      'platform/events/event-store.ts': "tx.insertInto('events').values(row);",
    };
    expect([typedEvents, ownedEvents].flatMap((rule) => rule(server(files)))).toEqual([]);
  });
});

describe('the words of the glossary', () => {
  test.each([
    '/** Deletes tokens. Answers how many. */',
    '/** Answers whether it runs. */',
    'const MOST_ROWS = 10;',
    'const LONGEST = 10;',
    'export const retainMails = 1;',
    'export function createMailRetention() {}',
    'export interface Record {}',
    'export type Event = string;',
  ])('refuse %s', (text) => {
    expect(plainWords(server({ 'mail/store.ts': text }))).toHaveLength(1);
  });

  test('allow plain wording', () => {
    const text =
      '/** Answers server-sent events. Returns how many. */\nconst MAX_ROWS = 10;\nexport interface RecordAttempts {}';
    expect(plainWords(server({ 'mail/store.ts': text }))).toEqual([]);
  });
});

describe('the words for people', () => {
  test.each([
    ['packages/console/src/a.tsx', '<summary>Body of the answer</summary>', 1],
    ['packages/console/src/a.tsx', "const text = used ? used : 'never used';", 1],
    ['packages/cli/src/a.ts', "'Successfully put out'", 2],
    ['packages/console/src/a.tsx', '// It was never used.', 0],
    ['packages/console/src/a.test.ts', "'never used'", 0],
    ['packages/server/src/a.ts', "'never used'", 0],
  ])('in %s: %s', (path, text, count) => {
    expect(shownWords(tree({ [path]: text }))).toHaveLength(count);
  });
});

describe('the rule on questions about the user alone', () => {
  test.each([
    ['posts/service.ts', "import { readable } from '../access/index.ts';"],
    ['webhooks/log-store.ts', "import { type Reader, readable } from '../access/index.ts';"],
    ['notifications/service.ts', "import {\n  isLimited,\n  readersOf,\n} from '../access/index.ts';"],
    ['jobs/service.ts', "import { roleOfUser as roleOf } from '../access/index.ts';"],
    ['webhooks/log.ts', "import * as access from '../access/index.ts';"],
    ['services.ts', "import { entitled } from './access/index.ts';"],
  ])('refuses in %s: %s', (path, text) => {
    expect(askedAboutPrincipals(server({ [path]: text }))).toHaveLength(1);
  });

  test('allows questions about the principal, and background work for a user', () => {
    const files = {
      'posts/service.ts': "import { readableBy, requireRepo, roleOf, type RepoFacts } from '../access/index.ts';",
      'webhooks/matching/candidate-store.ts': "import { readable } from '../access/index.ts';",
      'access/readable-conditions.ts': "import { readable } from '../access/index.ts';",
      'jobs/log-lines.ts': 'const readable = (text: string) => text;',
    };
    expect(askedAboutPrincipals(server(files))).toEqual([]);
  });

  test('refuses code that takes a user for a site administrator whatever the token', () => {
    const text = 'const { siteAdmin } = caller.principal;';
    expect(askedAboutSiteAdmins(server({ 'posts/service.ts': text }))).toHaveLength(1);
    expect(askedAboutSiteAdmins(server({ 'access/service.ts': text, 'posts/store.ts': '// siteAdmin' }))).toEqual([]);
  });
});
