import { HubApiError } from '@moonbase/client/errors';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Dispatches the event `refused` when the hub no longer accepts the session. */
export const refused = new EventTarget();

/** Returns whether the hub does not recognize the caller. */
export const isRefusal = (error: unknown): boolean => error instanceof HubApiError && error.status === 401;

/** Ends the session of this page if an error says that the hub has ended it. */
export function noteRefusal(error: unknown): void {
  if (isRefusal(error)) refused.dispatchEvent(new Event('refused'));
}

/** The cache of queries. A refusal of the hub is final; a query that failed otherwise is retried twice. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({ onError: noteRefusal }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !(error instanceof HubApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
