import { deleteNotifications, markNotifications, restoreNotifications } from '@moonbase/client/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { type Filters, filtersAsSent } from './filters.ts';
import { type InboxPage, PAGES } from './pages.ts';
import { threadOf } from './thread.ts';

export type Act = 'read' | 'unread' | 'done' | 'restore';

export interface Change {
  readonly act: Act;
  /** The thread ids, or all threads that match the filters and are not newer than the shown ones. */
  readonly threads: readonly string[] | 'all';
  readonly filters: Filters;
  /** The newest shown update, as an ISO date. */
  readonly lastUpdate: string | undefined;
}

/** Changes notifications: the page changes at once, and is restored if the hub refuses. */
export function useChange() {
  const hub = useHub();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ act, threads, filters, lastUpdate }: Change) => {
      if (act === 'restore')
        return restoreNotifications({ ...hub, discussionIds: threads === 'all' ? [] : [...threads] });
      const which =
        threads === 'all'
          ? { ...filtersAsSent(filters), applyToAll: true, ...(lastUpdate !== undefined && { lastUpdate }) }
          : { discussionIds: [...threads] };
      if (act === 'done') return deleteNotifications({ ...hub, ...which });
      return markNotifications({ ...hub, ...which, read: act === 'read' });
    },
    async onMutate(change) {
      await queries.cancelQueries({ queryKey: PAGES });
      const before = queries.getQueriesData<InboxPage>({ queryKey: PAGES });
      const key = [...PAGES, change.filters];
      queries.setQueryData<InboxPage>(key, (page) => page && withChange(page, change));
      return before;
    },
    onError(_error, _change, before) {
      for (const [key, page] of before ?? []) queries.setQueryData(key, page);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: PAGES }),
  });
}

function withChange(page: InboxPage, { act, threads }: Change): InboxPage {
  const isSelected = (id: string) => threads === 'all' || threads.includes(id);
  const { notifications } = page;
  if (act === 'done' || act === 'restore')
    return { ...page, notifications: notifications.filter((each) => !isSelected(threadOf(each).id)) };
  const read = act === 'read';
  return {
    ...page,
    notifications: notifications.map((each) => (isSelected(threadOf(each).id) ? { ...each, read } : each)),
  };
}
