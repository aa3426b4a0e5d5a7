import { HubApiError } from '@moonbase/client/errors';
import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { tellOtherTabs } from './other-tabs.ts';

/** Dispatches the event `refused` when the hub no longer accepts the session. */
export const refused = new EventTarget();

/** Returns whether the hub does not recognize the caller. */
export const isRefusal = (error: unknown): boolean => error instanceof HubApiError && error.status === 401;

/** The query that asks who is signed in, and with which roles. */
export const ME = ['me'] as const;

/** Ends the session of this page if an error says that the hub has ended it. */
export function noteRefusal(error: unknown): void {
  if (isRefusal(error)) refused.dispatchEvent(new Event('refused'));
}

/** The statuses by which the hub refuses what the page should not have offered: a role was taken away, a thing has changed or is gone. */
const SURPRISES = [403, 404, 409];

const isOneOf = (statuses: readonly number[], error: unknown): boolean =>
  error instanceof HubApiError && statuses.includes(error.status);

// Without this a page would show one task later that it is busy, when the second click of a double click has arrived.
notifyManager.setScheduler(queueMicrotask);

/** The cache of queries. A refusal of the hub is final; a query that failed otherwise is retried twice. */
export const queries = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      noteRefusal(error);
      // The role that is lacking may have been taken away.
      if (queryKey[0] !== ME[0] && isOneOf([403], error)) void queries.invalidateQueries({ queryKey: ME });
    },
  }),
  mutationCache: new MutationCache({
    onError(error) {
      noteRefusal(error);
      if (isOneOf(SURPRISES, error)) void queries.invalidateQueries();
    },
    onSuccess: () => tellOtherTabs('changed'),
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < 2 && !(error instanceof HubApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
