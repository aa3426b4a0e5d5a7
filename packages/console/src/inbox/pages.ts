import { getNotificationPage, listDoneNotifications, type Notification } from '@moonbase/client/notifications';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useHub } from '../session/session.tsx';
import { COUNTS_KEY } from './counts.ts';
import { type Filters, filtersAsSent } from './filters.ts';

export const PAGES = ['notifications', 'pages'];
export const PAGE_SIZE = 25;

type Page = Awaited<ReturnType<typeof getNotificationPage>>;

/** A page of the inbox, or of what the user is done with, which has neither totals nor reasons. */
export interface InboxPage extends Omit<Page, 'count'> {
  readonly count: Pick<Page['count'], 'view'> & Partial<Page['count']>;
}
export type { Notification };

/** Returns one page of the inbox; while another page loads, the previous one stays. */
export function useInboxPage(filters: Filters) {
  const hub = useHub();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [...PAGES, filters],
    queryFn: ({ signal }): Promise<InboxPage> => {
      const params = { ...hub, ...filtersAsSent(filters), signal };
      if (filters.show === 'done') return listDoneNotifications({ ...params, page: filters.page });
      return getNotificationPage({ ...params, page: filters.page, reasons: true });
    },
    placeholderData: keepPreviousData,
    staleTime: 2000,
  });
  const { data, isPlaceholderData } = query;
  useEffect(() => {
    const { unread, all } = data?.count ?? {};
    if (unread !== undefined && all !== undefined && !isPlaceholderData)
      queries.setQueryData(COUNTS_KEY, { unread, all });
  }, [data, isPlaceholderData, queries]);
  return query;
}
