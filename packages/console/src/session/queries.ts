import { HubApiError } from '@moonbase/client/errors';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Told when the hub no longer takes the token. */
export const refused = new EventTarget();

function check(error: unknown): void {
  if (error instanceof HubApiError && error.status === 401) refused.dispatchEvent(new Event('refused'));
}

/** What was asked of the hub. An answer is final where the hub refused; a connection that failed is tried again. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: check }),
  mutationCache: new MutationCache({ onError: check }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      networkMode: 'always',
      retry: (failures, error) => failures < 2 && !(error instanceof HubApiError && error.status < 500),
    },
    mutations: { networkMode: 'always' },
  },
});
