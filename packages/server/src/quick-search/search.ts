import type { QUICK_SEARCH_TYPES } from '@moonbase/contract/repositories/discovery';
import type { ReadingCaller } from '../platform/http/authenticate.ts';

export type SearchedType = (typeof QUICK_SEARCH_TYPES)[number];

export interface QuickSearchRequest {
  readonly text: string;
  readonly types: ReadonlySet<SearchedType>;
  /** Of each type. */
  readonly limit: number;
  readonly namespace: string | undefined;
  /** Full names of repositories, also behind their type in the plural. */
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
}

/** What one request looks for. */
export interface Search extends QuickSearchRequest {
  readonly caller: ReadingCaller;
  /** In lower case. */
  readonly words: readonly string[];
  readonly ownerId: string | undefined;
}

/** What is found of one type. */
interface Found<Item> {
  readonly items: Item[];
  readonly count: number;
}

/** At which number counting ends. */
export const MAX_COUNT = 1000;
export const nothing = (): Found<never> => ({ items: [], count: 0 });

/** Returns the first rows of a type and their number, which is counted only if there are more. */
export async function found<Row, Item>(
  rows: readonly Row[],
  limit: number,
  count: () => Promise<number>,
  present: (row: Row) => Item,
): Promise<Found<Item>> {
  return { items: rows.slice(0, limit).map(present), count: rows.length > limit ? await count() : rows.length };
}
