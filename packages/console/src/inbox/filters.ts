import type { NotificationFilters } from '@moonbase/client/notifications';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';

const TYPES = ['model', 'dataset', 'space', 'kernel'] as const;
export const SHOWN = ['all', 'unread', 'done'] as const;
const MENTIONS = ['all', 'participating', 'mentions'] as const;

/** The filters of the inbox, all of which the URL contains. */
export interface Filters {
  /** All in the inbox, the unread ones, or what the user is done with. */
  readonly show: (typeof SHOWN)[number];
  readonly mention: (typeof MENTIONS)[number];
  /** `namespace/name` of a model, or with its type for others: `dataset/namespace/name`. */
  readonly repo: string;
  /** The number of the page, from 0. */
  readonly page: number;
}

export function useFilters(): readonly [Filters, (change: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersIn(params), [params]);
  const change = (changed: Partial<Filters>) => setParams(paramsOf({ ...filters, page: 0, ...changed }));
  return [filters, change];
}

/** Returns the filters that the parameters of a URL contain. */
export function filtersIn(params: URLSearchParams): Filters {
  const mention = MENTIONS.find((each) => each === params.get('mention')) ?? 'all';
  const page = Number(params.get('page') ?? 1) - 1;
  const repo = params.get('repo') ?? '';
  const show = SHOWN.find((each) => params.has(each)) ?? 'all';
  return { show, mention, repo, page: Number.isInteger(page) && page > 0 ? page : 0 };
}

/** Returns the parameters of the URL that contains some filters. */
export const paramsOf = ({ show, mention, repo, page }: Filters): URLSearchParams =>
  new URLSearchParams([
    ...(show === 'all' ? [] : [[show, '']]),
    ...(mention === 'all' ? [] : [['mention', mention]]),
    ...(repo === '' ? [] : [['repo', repo]]),
    ...(page === 0 ? [] : [['page', String(page + 1)]]),
  ]);

/** Returns the filters for the hub's API. */
export function filtersAsSent({ show, mention, repo }: Filters): NotificationFilters {
  const [type = '', ...name] = repo.split('/');
  const known = TYPES.find((each) => each === type && name.length === 2);
  return {
    ...(show === 'unread' && { readStatus: 'unread' as const }),
    ...(mention !== 'all' && { mention }),
    ...(repo !== '' && { repoType: known ?? 'model', repoName: known ? name.join('/') : repo }),
  };
}
