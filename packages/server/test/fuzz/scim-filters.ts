import fc from 'fast-check';
import type { Comparison, Filter, FilterValue } from '../../src/scim/protocol/filter/filter.ts';
import type { ResourceKind } from '../../src/scim/protocol/resources/attributes.ts';

/** The texts are few, so that they match, and have patterns, quotes, cases and engine-specific orders. */
export const texts = fc.constantFrom(
  ...['', 'a', 'A', 'b', 'ab', 'Ab', 'aB', 'ba', 'z', 'a%', 'a_', '%', '_', "a'b", 'a"b', 'a\\b', 'a b', 'and', 'null'],
  ...['true', '7', 'É', 'é', 'ß', 'İ', 'ﬀ', '😀', '\ue000', 'a😀', '~', 'a)', ']', '\n', 'work', 'wor'],
);

export const times = fc.constantFrom(0, 1, 999, 1_000, 1_767_225_600_000, 1_767_225_600_001);

const STRINGS: Readonly<Record<ResourceKind, readonly string[]>> = {
  User: ['id', 'externalId', 'userName', 'displayName', 'name.givenName', 'emails.value', 'emails.type', 'title'],
  Group: ['id', 'externalId', 'displayName', 'members.value', 'members.display'],
};
const FLAGS: Readonly<Record<ResourceKind, readonly string[]>> = { User: ['active', 'emails.primary'], Group: [] };
const TIMES = ['meta.created', 'meta.lastModified'];
const LISTS: Readonly<Record<ResourceKind, readonly [list: string, strings: readonly string[]]>> = {
  User: ['emails', ['value', 'type']],
  Group: ['members', ['value']],
};

/** A filter, and one of its notations. */
export interface Written {
  readonly filter: Filter;
  readonly text: string;
}

/** The notation of a filter: cases, blanks and quotes. */
interface Hand {
  readonly upper: boolean;
  readonly blank: string;
  readonly quote: 'double' | 'single' | 'none';
}

const hands: fc.Arbitrary<Hand> = fc.record({
  upper: fc.boolean(),
  blank: fc.constantFrom(' ', '  ', '\t'),
  quote: fc.constantFrom('double', 'double', 'single', 'none'),
});

const EQUALITY: readonly Comparison[] = ['eq', 'ne'];
const ORDERED: readonly Comparison[] = [...EQUALITY, 'gt', 'ge', 'lt', 'le'];
const ALL: readonly Comparison[] = [...ORDERED, 'co', 'sw', 'ew'];

const withCaseOf = (word: string, { upper }: Hand): string => (upper ? word.toUpperCase() : word);

function literal(value: FilterValue, { quote }: Hand): string {
  if (typeof value !== 'string') return String(value);
  if (quote === 'none' && /^[\w%~-]+$/.test(value) && value !== 'null') return value;
  if (quote === 'single') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  return JSON.stringify(value);
}

function term(path: string, within: string | undefined, ops: readonly Comparison[], values: fc.Arbitrary<FilterValue>) {
  const full = within === undefined ? path : `${within}.${path}`;
  const known = full === 'title' || full === 'members.display' ? full.toLowerCase() : full;
  const compared = fc.tuple(hands, fc.constantFrom(...ops), values).map(([hand, op, value]): Written => {
    const usable = value === null && !EQUALITY.includes(op) ? 'eq' : op;
    return {
      filter: { op: usable, path: known, value },
      text: [withCaseOf(path, hand), withCaseOf(usable, hand), literal(value, hand)].join(hand.blank),
    };
  });
  const present = hands.map(
    (hand): Written => ({
      filter: { op: 'pr', path: known },
      text: `${withCaseOf(path, hand)}${hand.blank}${withCaseOf('pr', hand)}`,
    }),
  );
  return fc.oneof({ weight: 6, arbitrary: compared }, { weight: 1, arbitrary: present });
}

const orNull = (values: fc.Arbitrary<FilterValue>) => fc.option(values, { freq: 8 });
const isoTimes = times.map((time) => new Date(time).toISOString());

const joined = (parts: fc.Arbitrary<Written>) =>
  fc.tuple(hands, fc.constantFrom('and' as const, 'or' as const), fc.array(parts, { minLength: 2, maxLength: 3 })).map(
    ([hand, op, filters]): Written => ({
      filter: { op, filters: filters.map(({ filter }) => filter) },
      text: `(${filters.map(({ text }) => text).join(`${hand.blank}${withCaseOf(op, hand)}${hand.blank}`)})`,
    }),
  );

const negated = (part: fc.Arbitrary<Written>) =>
  fc.tuple(hands, part).map(
    ([hand, { filter, text }]): Written => ({
      filter: { op: 'not', filter },
      text: `${withCaseOf('not', hand)}${hand.blank}(${text})`,
    }),
  );

/** Generates filters of a kind of resource, up to three levels deep. */
export function filtersOf(kind: ResourceKind): fc.Arbitrary<Written> {
  const [list, parts] = LISTS[kind];
  const plain = fc.oneof(
    ...STRINGS[kind].map((path) => term(path, undefined, ALL, orNull(texts))),
    ...FLAGS[kind].map((path) => term(path, undefined, EQUALITY, orNull(fc.boolean()))),
    ...TIMES.map((path) => term(path, undefined, ORDERED, orNull(isoTimes))),
  );
  const inner = fc.oneof(...parts.map((path) => term(path, list, ALL, orNull(texts))));
  const ofValue = fc.oneof(inner, joined(inner), negated(inner), negated(joined(inner)));
  const valued = ofValue.map(
    ({ filter, text }): Written => ({
      filter: { op: 'any', path: list, filter },
      text: `${list}[${text}]`,
    }),
  );
  const leaf = fc.oneof({ weight: 4, arbitrary: plain }, { weight: 1, arbitrary: valued });
  const second = fc.oneof({ weight: 2, arbitrary: leaf }, joined(leaf), negated(leaf));
  return fc.oneof({ weight: 2, arbitrary: second }, joined(second), negated(second));
}
