import type { NotificationFilters } from '@moonbase/client/notifications';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

const TYPES = ['model', 'dataset', 'space', 'kernel'] as const;
const MENTIONS = ['all', 'participating', 'mentions'] as const;

/** The filters of the inbox, all of which the URL contains. */
export interface Filters {
  readonly unread: boolean;
  readonly mention: (typeof MENTIONS)[number];
  /** `namespace/name` of a model, or with its type for others: `dataset/namespace/name`. */
  readonly repo: string;
  /** The number of the page, from 0. */
  readonly page: number;
}

export function useFilters(): readonly [Filters, (change: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams();
  const filters = useMemo((): Filters => {
    const mention = MENTIONS.find((each) => each === params.get('mention')) ?? 'all';
    const page = Number(params.get('page') ?? 1) - 1;
    const repo = params.get('repo') ?? '';
    return { unread: params.has('unread'), mention, repo, page: Number.isInteger(page) && page > 0 ? page : 0 };
  }, [params]);
  const change = (changed: Partial<Filters>) => {
    const next = { ...filters, page: 0, ...changed };
    setParams(
      new URLSearchParams([
        ...(next.unread ? [['unread', '']] : []),
        ...(next.mention === 'all' ? [] : [['mention', next.mention]]),
        ...(next.repo === '' ? [] : [['repo', next.repo]]),
        ...(next.page === 0 ? [] : [['page', String(next.page + 1)]]),
      ]),
    );
  };
  return [filters, change];
}

/** Returns the filters for the hub's API. */
export function filtersAsSent({ unread, mention, repo }: Filters): NotificationFilters {
  const [type = '', ...name] = repo.split('/');
  const known = TYPES.find((each) => each === type && name.length === 2);
  return {
    ...(unread && { readStatus: 'unread' as const }),
    ...(mention !== 'all' && { mention }),
    ...(repo !== '' && { repoType: known ?? 'model', repoName: known ? name.join('/') : repo }),
  };
}
