import type { FoundSpace } from '@moonbase/contract/repositories/discovery';
import type { Database } from '../platform/database/transaction.ts';
import type { ReadingCaller } from '../platform/http/authenticate.ts';
import { parseJson } from '../platform/stored-form.ts';
import { distinctValues } from './filter.ts';
import { type FoundRow, searchSpaces } from './space-search-store.ts';

const MAX_FOUND = 100;

export interface SpaceSearch {
  readonly text: string;
  /** In lower case. */
  readonly tags: readonly string[];
  /** In lower case; any of them. */
  readonly sdks: readonly string[];
}

const present = (row: FoundRow, words: number): FoundSpace => ({
  id: `${row.ownerName}/${row.name}`,
  title: row.title ?? row.name,
  author: row.ownerName,
  ...(row.emoji !== null && { emoji: row.emoji }),
  ...(row.sdk !== null && { sdk: row.sdk }),
  ...(row.short !== null && { shortDescription: row.short }),
  likes: row.likes,
  private: row.private === 1,
  tags: row.tags === null ? [] : parseJson(row.tags),
  trendingScore: Number(row.trending_score) / 1000,
  semanticRelevancyScore: Number(row.found) / words,
});

/** Creates the search for Spaces by what they say about themselves. */
export const createSpaceSearch =
  ({ database: { read } }: { readonly database: Database }) =>
  async (caller: ReadingCaller, { text, tags, sdks }: SpaceSearch): Promise<FoundSpace[]> => {
    const words = distinctValues('q', text.toLowerCase().split(/\s+/), 'words');
    if (words.length === 0) return [];
    const rows = await searchSpaces(read, caller.principal, { words, tags, sdks, limit: MAX_FOUND });
    const order = (one: FoundRow, other: FoundRow) =>
      Number(other.found) - Number(one.found) ||
      Number(other.trending_score) - Number(one.trending_score) ||
      (one.id < other.id ? 1 : -1);
    return rows
      .toSorted(order)
      .slice(0, MAX_FOUND)
      .map((row) => present(row, words.length));
  };
