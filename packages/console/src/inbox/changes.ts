import { deleteNotifications, markNotifications } from '@moonbase/client/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { type Filters, filtersAsSent } from './filters.ts';
import { type InboxPage, PAGES } from './pages.ts';
import { threadOf } from './thread.ts';

export type Act = 'read' | 'unread' | 'done';

export interface Change {
  readonly act: Act;
  /** The threads, or all that match the filters and are not newer than what is shown. */
  readonly threads: readonly string[] | 'all';
  readonly filters: Filters;
  /** The newest that is shown, as an ISO date. */
  readonly lastUpdate: string | undefined;
}

/** Changes notifications: what is shown changes at once, and goes back where the hub refuses. */
export function useChange() {
  const hub = useHub();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ act, threads, filters, lastUpdate }: Change) => {
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
      queries.setQueryData<InboxPage>(key, (page) => page && changed(page, change));
      return before;
    },
    onError(_error, _change, before) {
      for (const [key, page] of before ?? []) queries.setQueryData(key, page);
    },
    onSettled: () => queries.invalidateQueries({ queryKey: PAGES }),
  });
}

function changed(page: InboxPage, { act, threads }: Change): InboxPage {
  const isMeant = (id: string) => threads === 'all' || threads.includes(id);
  const { notifications } = page;
  if (act === 'done') return { ...page, notifications: notifications.filter((each) => !isMeant(threadOf(each).id)) };
  const read = act === 'read';
  return {
    ...page,
    notifications: notifications.map((each) => (isMeant(threadOf(each).id) ? { ...each, read } : each)),
  };
}
