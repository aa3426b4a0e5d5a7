import fc from 'fast-check';
import { expect } from 'vitest';
import { HubError } from '../../src/platform/http/errors.ts';
import { matches } from '../../src/scim/protocol/filter/matches.ts';
import { parseFilter } from '../../src/scim/protocol/filter/parse.ts';
import { groupChanges } from '../../src/scim/protocol/patch/group-changes.ts';
import { applyPatch } from '../../src/scim/protocol/patch/patch.ts';
import type { ResourceKind } from '../../src/scim/protocol/resources/attributes.ts';
import { readGroup } from '../../src/scim/protocol/resources/group-input.ts';
import type { JsonObject } from '../../src/scim/protocol/resources/json.ts';
import { readUser } from '../../src/scim/protocol/resources/user-input.ts';
import { NASTY_TEXTS } from './nasty.ts';
import { filtersOf } from './scim-filters.ts';

/** The number of accepted cases, and of refusals with each `scimType`. */
export type Outcomes = Record<string, number>;

const SEED = Number(process.env.MOONBASE_FUZZ_SEED ?? 20260105);

/** Returns a result, or the `scimType` of a refusal with status 400; all other errors are thrown. */
function outcomeOf<T>(run: () => T): { readonly result: T } | { readonly refused: string } {
  try {
    return { result: run() };
  } catch (error) {
    if (!(error instanceof HubError) || error.status !== 400) throw error;
    const scimType = error.extra.fields?.scimType;
    if (typeof scimType !== 'string' || !/\S \S/.test(error.message))
      throw new Error(`refused without a scimType or a sentence: ${error.message}`, { cause: error });
    return { refused: scimType };
  }
}

function counting<Args extends unknown[]>(check: (...args: Args) => string) {
  const outcomes: Outcomes = {};
  return {
    outcomes,
    run: (...args: Args): void => {
      const outcome = check(...args);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    },
  };
}

/** The parts of a filter, whole words and crumbs. */
const CRUMBS = [
  ...['userName', 'emails', 'emails.value', 'members', 'active', 'meta.created', 'title', 'name', 'urn:x:y', 'nope'],
  ...[
    'eq',
    'ne',
    'co',
    'gt',
    'pr',
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '.value',
    '"a"',
    "'a'",
    '"',
    "'",
    '\\',
    'true',
  ],
  ...['null', '7', '-', '.', ':', '$ref', '"2026-01-31T00:00:00Z"', '\u0000', '😀', '\ud800'],
];
const crumbs = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...CRUMBS) }, fc.constantFrom(...NASTY_TEXTS));

/** Generates whole filters, filters with a part removed, added or repeated, and crumbs in any order. */
const textsOf = (kind: ResourceKind): fc.Arbitrary<[ResourceKind, string]> => {
  const written = filtersOf(kind).map(({ text }) => text);
  const broken = fc.tuple(written, fc.nat(), fc.nat(6), crumbs).map(([text, at, length, crumb]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + crumb + text.slice(start + length);
  });
  const pieces = fc.array(crumbs, { maxLength: 12 });
  const text = fc.oneof(
    { weight: 3, arbitrary: written },
    { weight: 4, arbitrary: broken },
    pieces.map((parts) => parts.join(' ')),
    pieces.map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  return fc.tuple(fc.constant(kind), text);
};
const filterTexts = fc.oneof(textsOf('User'), textsOf('Group'));

const ADA: JsonObject = {
  id: '0123456789abcdef01234567',
  externalId: 'okta-1',
  userName: 'ada@example.com',
  name: { familyName: 'Lovelace', givenName: 'Ada' },
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
};

/** Any text is a filter or refused with `invalidFilter`; every filter can be applied to a resource. */
export function fuzzFilters(runs: number): Outcomes {
  const { outcomes, run } = counting(([kind, text]: [ResourceKind, string]) => {
    const outcome = outcomeOf(() => parseFilter(kind, text));
    if ('refused' in outcome) {
      expect(outcome.refused).toBe('invalidFilter');
      return outcome.refused;
    }
    expect(matches(outcome.result, ADA)).toBeTypeOf('boolean');
    return 'taken';
  });
  fc.assert(fc.property(filterTexts, run), { numRuns: runs, seed: SEED });
  return outcomes;
}

const PATHS = [
  ...[
    'userName',
    'USERNAME',
    'active',
    'externalId',
    'displayName',
    'name',
    'name.givenName',
    'emails',
    'emails.value',
  ],
  ...[
    'emails[type eq "work"].value',
    "emails[type eq 'home'].value",
    'emails[primary eq true]',
    'emails[value pr].primary',
  ],
  ...['members', 'members[value eq "a"]', 'members[value eq "a" or value eq "b"].value', 'members.value', 'id', 'meta'],
  ...['schemas', 'title', 'phoneNumbers[type eq "work"].value', 'urn:ietf:params:scim:schemas:core:2.0:User:userName'],
  ...[
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
  ],
  ...[
    '',
    ' ',
    '[',
    'emails[',
    'emails[]',
    'emails[type eq',
    '__proto__',
    'constructor.prototype',
    'name.__proto__',
    'nope',
  ],
];
const paths = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...PATHS) },
  crumbs,
  filterTexts.map(([, text]) => `emails[${text}]`),
);

const LEAVES = ['a', 'Ada', 'True', 'False', 'ada@example.com', '', ...NASTY_TEXTS];
const leaves = fc.oneof(fc.constantFrom(...LEAVES), fc.boolean(), fc.constant(null), fc.integer(), fc.double());
const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: leaves },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom('value', 'type', 'primary', 'Value', '$ref', 'givenName'), paths),
      tie('value'),
      {
        maxKeys: 4,
        noNullPrototype: true,
      },
    ),
  ),
})).value;

/** Paths with valid values. */
const GOOD: readonly (readonly [path: string, value: unknown])[] = [
  ['userName', 'countess'],
  ['active', 'False'],
  ['externalId', null],
  ['displayName', 'Ada'],
  ['name', { givenName: 'Ada' }],
  ['name.formatted', 'Ada Lovelace'],
  ['emails', [{ value: 'a@example.com', type: 'home', primary: true }]],
  ['emails[type eq "work"].value', 'b@example.com'],
  ['title', 'Countess'],
  ['members', [{ value: 'a', $ref: null }]],
];
const goodOperations = fc
  .tuple(fc.constantFrom('add', 'Replace', 'replace'), fc.constantFrom(...GOOD), fc.boolean())
  .map(([op, [path, value], whole]) => (whole ? { op, path, value } : { op, value: { [path]: value } }));

const anyOperations = fc.record(
  {
    op: fc.oneof({ weight: 12, arbitrary: fc.constantFrom('add', 'Replace', 'replace', 'Remove', 'remove') }, leaves),
    path: fc.oneof({ weight: 12, arbitrary: paths }, leaves),
    value: values,
  },
  { noNullPrototype: true, requiredKeys: ['op'] },
);
const operations = fc.oneof({ weight: 2, arbitrary: goodOperations }, { weight: 1, arbitrary: anyOperations });
const bodies = fc.oneof(
  { weight: 12, arbitrary: fc.array(operations, { maxLength: 3 }).map((Operations): unknown => ({ Operations })) },
  values,
);

/** Any body changes a user to a readable and writable one, or is refused without a change. */
export function fuzzUserPatches(runs: number): Outcomes {
  const { outcomes, run } = counting((body: unknown) => {
    const before = structuredClone(ADA);
    const patched = outcomeOf(() => applyPatch('User', before, body));
    expect(before).toEqual(ADA);
    if ('refused' in patched) return patched.refused;
    expect(JSON.parse(JSON.stringify(patched.result))).toEqual(patched.result);
    expect(Object.keys(patched.result).filter((key) => !(key in ADA) && key !== 'displayName')).toEqual([]);
    expect(patched.result.id).toBe(ADA.id);
    const read = outcomeOf(() => readUser(patched.result));
    return 'refused' in read ? read.refused : 'taken';
  });
  fc.assert(fc.property(bodies, run), { numRuns: runs, seed: SEED });
  return outcomes;
}

/** Any body does so for groups, and for POST and PUT. */
export function fuzzBodies(runs: number): Outcomes {
  const readers = fc.constantFrom<(body: unknown) => object>(groupChanges, readGroup, readUser);
  const { outcomes, run } = counting((read: (body: unknown) => object, body: unknown) => {
    const outcome = outcomeOf(() => read(body));
    if ('refused' in outcome) return outcome.refused;
    expect(JSON.parse(JSON.stringify(outcome.result))).toEqual(outcome.result);
    return 'taken';
  });
  const named = fc
    .tuple(values, values)
    .map(([value, other]): unknown => ({ userName: 'ada', displayName: 'x', ...Object(value), emails: other }));
  fc.assert(fc.property(readers, fc.oneof(bodies, named), run), { numRuns: runs, seed: SEED });
  return outcomes;
}
