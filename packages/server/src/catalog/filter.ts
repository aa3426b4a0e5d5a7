import type { RepoType } from '@moonbase/contract/primitives';
import type { RepoSort } from '@moonbase/contract/repositories/listing';
import { badRequest } from '../platform/http/errors.ts';

/** What a list of repositories contains, and in which order. */
export interface CatalogFilter {
  readonly type: Exclude<RepoType, 'bucket'>;
  /** Parts of the full name, normalized with `searchable`. */
  readonly words: readonly string[];
  readonly author: string | undefined;
  /** Tags in lower case; a repository must have all of them. */
  readonly tags: readonly string[];
  readonly gated: boolean | 'auto' | 'manual' | undefined;
  readonly pipeline: string | undefined;
  readonly parameters: NumberRange | undefined;
  readonly sort: RepoSort;
  readonly direction: 'asc' | 'desc';
}

export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Returns a text in the form in which names are searched: without case, and `-`, `_` and `.` are equal. */
export const searchable = (text: string): string => text.toLowerCase().replace(/[_.]/g, '-');

/** Bounds the conditions of a query. */
const MAX_VALUES = 20;

/** Returns the distinct values of a parameter, without blanks around them. Throws 400 for too many. */
export function distinctValues(name: string, values: readonly string[], noun = 'values'): string[] {
  const distinct = [...new Set(values.map((value) => value.trim()))].filter((value) => value !== '');
  if (distinct.length > MAX_VALUES) throw badRequest(`query.${name}: must have at most ${MAX_VALUES} ${noun}`);
  return distinct;
}

/** Returns the words of search texts. Throws 400 for too many. */
export const wordsOf = (texts: readonly string[]): string[] =>
  distinctValues(
    'search',
    texts.flatMap((text) => searchable(text).split(/\s+/)),
  );

/** Returns the values of a parameter that is repeated or joined with commas, in lower case. Throws 400 for too many. */
export const tagsIn = (name: string, texts: readonly string[] = []): string[] =>
  distinctValues(
    name,
    texts.flatMap((text) => text.toLowerCase().split(',')),
  );

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** Parses a range of numbers of parameters such as `min:6B,max:128B`. Throws 400 for any other form. */
export function parametersIn(text: string): NumberRange {
  const range = { min: 0, max: Number.MAX_SAFE_INTEGER };
  for (const part of text.split(',')) {
    const [, bound, digits, unit = ''] = /^\s*(min|max):(\d+(?:\.\d+)?)([kmbt]?)\s*$/i.exec(part) ?? [];
    if (bound === undefined) throw badRequest('query.num_parameters: must be like min:6B,max:128B');
    range[bound.toLowerCase() === 'min' ? 'min' : 'max'] = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  }
  return range;
}
