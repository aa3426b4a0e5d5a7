import type { ReadingCaller } from '../platform/http/authenticate.ts';
import type { PageOf } from '../platform/http/pagination.ts';
import type { Item, ListRequest } from './listing.ts';

const TYPES = ['model', 'dataset', 'space'] as const;
type TrendingType = (typeof TYPES)[number];

interface Trending {
  readonly type: TrendingType | 'all';
  readonly limit: number;
}

const scoreOf = (item: Item): number => ('trendingScore' in item ? (item.trendingScore ?? 0) : 0);

/** Creates the list of the repositories of several types that trend most. */
export const createTrending =
  (list: (caller: ReadingCaller, request: ListRequest) => Promise<PageOf<Item>>) =>
  async (caller: ReadingCaller, { type, limit }: Trending) => {
    const found: { repoType: TrendingType; repoData: Item }[] = [];
    for (const repoType of type === 'all' ? TYPES : [type]) {
      const { items } = await list(caller, {
        filter: {
          ...{ type: repoType, words: [], author: undefined, tags: [], gated: undefined, pipeline: undefined },
          ...{ parameters: undefined, sort: 'trendingScore', direction: 'desc' },
        },
        ...{ limit, cursor: undefined, expand: undefined, more: [], full: false },
      });
      found.push(...items.filter((item) => scoreOf(item) > 0).map((repoData) => ({ repoType, repoData })));
    }
    return found.toSorted((one, other) => scoreOf(other.repoData) - scoreOf(one.repoData)).slice(0, limit);
  };
