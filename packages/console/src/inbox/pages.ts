import { getNotificationPage, type Notification } from '@moonbase/client/notifications';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useHub } from '../session/session.tsx';
import { COUNTS_KEY } from './counts.ts';
import { type Filters, filtersAsSent } from './filters.ts';

export const PAGES = ['notifications', 'pages'];
export const PAGE_SIZE = 25;

export type InboxPage = Awaited<ReturnType<typeof getNotificationPage>>;
export type { Notification };

/** Returns one page of the inbox; while another page loads, the previous one stays. */
export function useInboxPage(filters: Filters) {
  const hub = useHub();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: [...PAGES, filters],
    queryFn: ({ signal }) => getNotificationPage({ ...hub, ...filtersAsSent(filters), page: filters.page, signal }),
    placeholderData: keepPreviousData,
    staleTime: 2000,
  });
  const { data, isPlaceholderData } = query;
  useEffect(() => {
    if (data && !isPlaceholderData)
      queries.setQueryData(COUNTS_KEY, { unread: data.count.unread, all: data.count.all });
  }, [data, isPlaceholderData, queries]);
  return query;
}
