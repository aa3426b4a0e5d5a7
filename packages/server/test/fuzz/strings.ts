import fc from 'fast-check';
import { NASTY_TEXTS } from './nasty.ts';
import { EMAILS, POOLS, URLS } from './pools.ts';

/** The constraints of a JSON Schema on a text. */
export interface TextSchema {
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

const MAX_LENGTH = 40;

/** Generates valid texts of a schema; mostly likely values of a property with this name, if there are any. */
export function strings(schema: TextSchema, name: string): fc.Arbitrary<string> {
  const pool = POOLS[name];
  const unlisted = freeStrings(schema);
  return pool ? fc.oneof({ weight: 7, arbitrary: fc.constantFrom(...pool) }, unlisted) : unlisted;
}

function freeStrings({ format, pattern, minLength = 0, maxLength = 5000 }: TextSchema): fc.Arbitrary<string> {
  if (format === 'uri') return fc.constantFrom(...URLS);
  if (format === 'email') return fc.constantFrom(...EMAILS);
  if (format === 'date-time') return fc.date(DATES).map((at) => at.toISOString());
  const fits = (text: string) => lengthOf(text) >= minLength && lengthOf(text) <= maxLength;
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter(fits);
  const bounds = { minLength, maxLength: Math.max(Math.min(maxLength, MAX_LENGTH), minLength) };
  return fc.oneof(
    fc.string(bounds),
    fc.string({ ...bounds, unit: 'grapheme' }).filter(fits),
    fc.constantFrom(...ODD_TEXTS.filter(fits)),
  );
}

const DATES = { min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true } as const;

/** Generates valid texts of a schema that may make a program stumble. */
const ODD_TEXTS = NASTY_TEXTS.filter((text) => !text.includes('\u0000'));

const lengthOf = (text: string): number => (/^§\d+$/.test(text) ? Number(text.slice(1)) : text.length);
