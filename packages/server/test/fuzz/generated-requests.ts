import { GIT_ERROR_TYPE } from '@moonbase/contract/content/git';
import type { RouteDeclaration } from '@moonbase/contract/route';
import fc from 'fast-check';
import { blackPng, gifOfFrames } from '../pictures.ts';
import { partsOf, sometimes, valuesOf, withoutAbsent } from './json-schema.ts';
import { type Json, mutate, mutations } from './mutations.ts';
import { NASTY_SEGMENTS, NASTY_TEXTS } from './nasty.ts';
import { wellFormed } from './texts.ts';
import { CALLERS, type CallerKind } from './world.ts';

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

/** A request before the ids of a hub are filled in; path parameters are encoded, except for words with §. */
export interface GeneratedRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly rawQuery: string;
  readonly body: Body;
  /** Undefined means the caller whom the route is for. */
  readonly caller: CallerKind | undefined;
}

/** Generates requests of a route: about half match its schemas, the others have changes in some places. */
export function requestsOf(route: RouteDeclaration): fc.Arbitrary<GeneratedRequest> {
  return fc.record({
    params: paramsOf(route),
    query: queryOf(route),
    rawQuery: fc.oneof(
      { weight: 30, arbitrary: fc.constant('') },
      fc.constantFrom('%zz', '%00', 'limit=%00', '&&&=', 'a[b][c]=1', '__proto__=1', 'x'.repeat(2000), '%C3=%C3'),
    ),
    body: bodyOf(route),
    caller: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      { weight: route.anonymous ? 4 : 0, arbitrary: fc.constant('nobody' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...CALLERS) },
    ),
  });
}

function paramsOf(route: RouteDeclaration): fc.Arbitrary<Record<string, string>> {
  const good = fc.record(mapValues(partsOf(route.params), (part) => part.map((value) => encoded(textOf(value)))));
  const names = Object.keys(route.params?.shape ?? {});
  if (names.length === 0) return fc.constant({});
  const bad = fc.tuple(good, fc.constantFrom(...names), fc.constantFrom(...NASTY_SEGMENTS));
  return fc.oneof(
    { weight: 5, arbitrary: good },
    { weight: 1, arbitrary: bad.map(([params, name, segment]) => ({ ...params, [name]: segment })) },
  );
}

/** Encodes a segment of a path; an empty or folding segment becomes one that stays. */
const encoded = (text: string): string => {
  const segment = text.startsWith('§') ? text : encodeURIComponent(wellFormed(text));
  return /^(|\.|\.\.)$/.test(segment) ? `${segment}%20` : segment;
};

function queryOf(route: RouteDeclaration): fc.Arbitrary<[string, string][]> {
  const parts = partsOf(route.query);
  const good = fc.record(mapValues(parts, sometimes)).map((query) => entriesOf(withoutAbsent(query)));
  const name = fc.constantFrom(...Object.keys(parts), 'unknown', '__proto__', 'limit[]');
  const bad = fc.tuple(name, fc.constantFrom(...NASTY_TEXTS.filter((text) => !text.endsWith('00000'))));
  return fc.oneof(
    { weight: 4, arbitrary: good },
    { weight: 2, arbitrary: fc.tuple(good, bad).map(([all, one]) => [...all, one]) },
  );
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

const entriesOf = (query: Readonly<Record<string, Json>>): [string, string][] =>
  Object.entries(query).map(([name, value]) => [name, textOf(value)]);

const JSON_TYPE = 'application/json';
const TEXTS: readonly Body[] = [
  { kind: 'none' },
  ...[
    '',
    ' ',
    '{',
    '[1',
    'null',
    '"text"',
    '{"a":1,"a":2}',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
  ].map((text) => ({ kind: 'text', text, type: JSON_TYPE }) as const),
  { kind: 'text', text: `${'['.repeat(20_000)}${']'.repeat(20_000)}`, type: JSON_TYPE },
  { kind: 'text', text: '\ufeff{}', type: JSON_TYPE },
  { kind: 'text', text: '{}', type: 'text/plain' },
  { kind: 'text', text: 'a=b', type: 'application/x-www-form-urlencoded' },
  { kind: 'text', text: '{}', type: 'application/json; charset=utf-16' },
  { kind: 'text', text: '{}', type: 'nonsense' },
];

/** Generates commits as lines of JSON, one of which may be any text. */
const commits = fc
  .tuple(
    fc.array(fc.constantFrom('a.txt', 'a', 'a/b', '../x', '.git/x', '.gitattributes', 'é', ''), { maxLength: 4 }),
    fc.constantFrom('file', 'lfsFile', 'deletedFile', 'deletedFolder', 'header', 'other'),
    fc.option(fc.string(), { nil: undefined, freq: 5 }),
  )
  .map(([paths, key, text]): Body => {
    const lines = paths.map((path) => ({ key, value: { path, content: 'x', oid: 'a'.repeat(64), summary: 'again' } }));
    const all = [{ key: 'header', value: { summary: 'change' } }, ...lines].map((line) => JSON.stringify(line));
    return { kind: 'bytes', bytes: new TextEncoder().encode([...all, text ?? ''].join('\n')) };
  });

const pkt = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

/** Generates requests of git: pkt-lines of fetches and pushes, possibly cut, and what is none. */
const gitRequests = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc.constantFrom('0000', '0001', '0002', '0003', 'ffff', pkt('command=ls-refs\n'), pkt('done\n'), pkt('peel\n')),
        fc.constantFrom(
          pkt(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status side-band-64k`),
          pkt(`${'1'.repeat(40)} ${'0'.repeat(40)} refs/heads/main\0report-status`),
          pkt(`want ${'1'.repeat(40)}\n`),
          'PACK\0\0\0\x02\0\0\0\0',
        ),
        fc.string().map(pkt),
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom('0000', ''),
  )
  .map(([lines, end]): Body => ({ kind: 'bytes', bytes: new TextEncoder().encode([...lines, end].join('')) }));

/** Generates pictures, half of which are whole, the others with a part replaced. */
const pictures = fc
  .tuple(
    fc.constantFrom(blackPng(1, 1), blackPng(600, 300), gifOfFrames(3), gifOfFrames(1, 9, 9)),
    fc.option(fc.tuple(fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 40 }))),
  )
  .map(([picture, change]): Body => {
    if (!change) return { kind: 'bytes', bytes: new Uint8Array(picture) };
    const [at, length, bytes] = change;
    const start = at % picture.length;
    const parts = [picture.subarray(0, start), bytes, picture.subarray(start + length)];
    return { kind: 'bytes', bytes: new Uint8Array(Buffer.concat(parts)) };
  });

function bodyOf(route: RouteDeclaration): fc.Arbitrary<Body> {
  if (route.method === 'GET') return fc.constant({ kind: 'none' });
  const texts = { weight: 1, arbitrary: fc.constantFrom(...TEXTS) };
  if (route.rawBody?.stream) {
    const arbitrary = route.media?.type === GIT_ERROR_TYPE ? gitRequests : commits;
    return fc.oneof({ weight: 9, arbitrary }, texts);
  }
  if (route.rawBody) return fc.oneof({ weight: 9, arbitrary: pictures }, texts);
  if (!route.body) return fc.oneof({ weight: 6, arbitrary: fc.constant<Body>({ kind: 'none' }) }, texts);
  const good = valuesOf(route.body);
  const bad = fc.tuple(good, fc.array(mutations, { minLength: 1, maxLength: 3 }));
  const json = (value: Json): Body => ({ kind: 'json', value });
  return fc.oneof(
    { weight: 7, arbitrary: good.map(json) },
    { weight: 4, arbitrary: bad.map(([value, changes]) => json(mutate(value, changes))) },
    texts,
  );
}

const mapValues = <T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
