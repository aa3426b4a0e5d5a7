import { codeOf } from './imports.ts';
import { isSlice, SERVER, unitOf, withinServer } from './server-layout.ts';
import { productSources, type Rule, type SourceTree } from './source-tree.ts';

/** Matches a topic or kind of task that is a text instead of a value of its owner. */
const BY_NAME = /\.(record|recordQuiet|enqueue)\s*\(\s*[\w$.]+\s*,\s*['"`]/g;
const CAST = /\bdata\s+as\s+(?=unknown\b|[A-Z{([])/g;
const TOPIC = /\bdefineTopic\s*\(\s*\{\s*name:\s*(?<name>[^,\s]+)/g;
const TASK = /\bdefineTask\s*\(\s*(?<name>[^,\s]+)/g;
const INSERTED = /\binsertInto\s*\(\s*['"`](?<table>events|tasks)['"`]|\binsert\s+into\s+(?<raw>events|tasks)\b/g;

/** The only file that writes rows of each table. */
const WRITERS = { events: 'platform/events/event-store.ts', tasks: 'platform/queue/task-store.ts' };

/**
 * Events and tasks have the form that their topic or kind defines: no code names these by text, or casts their data.
 */
export const typedEvents: Rule = (tree) =>
  serverCode(tree).flatMap(([path, code]) => [
    ...[...code.matchAll(BY_NAME)].map(
      ([call]) => `${path}: ${call} names a topic or kind by text; pass its definition`,
    ),
    ...[...code.matchAll(CAST)].map(() => `${path} casts data; its topic or kind says what it is`),
    ...[...code.matchAll(INSERTED)].flatMap(({ groups }) => {
      const table = (groups?.table ?? groups?.raw) === 'events' ? 'events' : 'tasks';
      return withinServer(path) === WRITERS[table] ? [] : [`${path} inserts into ${table}: ${WRITERS[table]} does`];
    }),
  ]);

/** A topic is defined in `events.ts` of the slice that records it, and no name is used for two topics or kinds. */
export const ownedEvents: Rule = (tree) => {
  const sources = serverCode(tree);
  const isHome = (path: string) => isSlice(unitOf(path)) && withinServer(path) === `${unitOf(path)}/events.ts`;
  return [
    ...definitions(sources, TOPIC)
      .filter(({ path }) => !isHome(path))
      .map(({ path, name }) => `${path} defines the topic ${name}: the events.ts of a slice does`),
    ...[TOPIC, TASK].flatMap((pattern) => repeated(definitions(sources, pattern))),
  ];
};

interface Definition {
  readonly path: string;
  readonly name: string;
}

const definitions = (sources: readonly [path: string, code: string][], pattern: RegExp): Definition[] =>
  sources.flatMap(([path, code]) =>
    [...code.matchAll(pattern)].map(({ groups }) => ({ path, name: groups?.name ?? '' })),
  );

const repeated = (all: readonly Definition[]): string[] =>
  all
    .filter(({ name }, at) => all.findIndex((each) => each.name === name) < at)
    .map(({ path, name }) => `${path} defines ${name}, which is defined already`);

const serverCode = (tree: SourceTree): [path: string, code: string][] =>
  productSources(tree)
    .filter(([path]) => path.startsWith(SERVER))
    .map(([path, text]) => [path, codeOf(text)]);
