import { scimError } from '../errors.ts';

/** A page of a list, counted from 1. With `count` 0, only the total is returned. */
export interface Page {
  readonly startIndex: number;
  readonly count: number;
}

export const MAX_RESOURCES = 1000;

interface PageParameters {
  readonly startIndex?: string | number | undefined;
  readonly count?: string | number | undefined;
}

/** Reads page parameters; values out of bounds are clamped (RFC 7644, 3.4.2.4). */
export const readPage = ({ startIndex, count }: PageParameters): Page => ({
  startIndex: Math.max(1, wholeNumber('startIndex', startIndex, 1)),
  count: Math.min(MAX_RESOURCES, Math.max(0, wholeNumber('count', count, MAX_RESOURCES))),
});

function wholeNumber(name: string, value: string | number | undefined, otherwise: number): number {
  const text = String(value ?? '').trim();
  if (text === '') return otherwise;
  if (!/^[+-]?\d+$/.test(text)) throw scimError(400, `\`${name}\` must be a whole number`, 'invalidValue');
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
