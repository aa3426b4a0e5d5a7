import { scimError } from '../errors.ts';

export type JsonObject = { [name: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a property by name in any case (RFC 7643, 2.1); the last one if there are several. */
export function propertyOf(object: JsonObject, name: string): unknown {
  const wanted = name.toLowerCase();
  return Object.entries(object).findLast(([key]) => key.toLowerCase() === wanted)?.[1];
}

/** Unwraps the forms in which providers send a single value: the value, a list of one, `{value}`, or a list of that. */
export function singleValue(value: unknown, path: string): unknown {
  if (!Array.isArray(value)) return innerValue(value);
  if (value.length > 1) throw scimError(400, `${path} takes one value, not ${value.length}`, 'invalidValue');
  return value.length === 0 ? null : innerValue(value[0]);
}

const innerValue = (value: unknown): unknown =>
  isObject(value) && Object.keys(value).some((key) => key.toLowerCase() === 'value')
    ? (propertyOf(value, 'value') ?? null)
    : value;

/** Returns a text; undefined if it is empty, null or absent. */
export function textOf(value: unknown, path: string, longest = 255): string | undefined {
  const single = singleValue(value, path);
  if (single === undefined || single === null || single === '') return undefined;
  if (typeof single !== 'string') throw scimError(400, `${path} must be a string`, 'invalidValue');
  if (codePointsIn(single) > longest)
    throw scimError(400, `${path} must have at most ${longest} characters`, 'invalidValue');
  if (!isStorable(single)) throw scimError(400, `${path} must be Unicode text without NUL`, 'invalidValue');
  return single;
}

/** Returns the number of code points, which is the length in both engines. */
export const codePointsIn = (text: string): number => Array.from(text).length;

/** Returns whether databases can store a text: without NUL and unpaired surrogates. */
export const isStorable = (text: string): boolean => !/\0|\p{Surrogate}/u.test(text);

/** Parses a boolean, also from text in any case, because Entra sends "False". */
export function booleanOf(value: unknown, path: string): boolean {
  const single = singleValue(value, path);
  if (typeof single === 'boolean') return single;
  const text = typeof single === 'string' ? single.toLowerCase() : undefined;
  if (text !== 'true' && text !== 'false') throw scimError(400, `${path} must be true or false`, 'invalidValue');
  return text === 'true';
}
