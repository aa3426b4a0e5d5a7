import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * Returns a function that runs actions, then refetches the queries that an action may have changed, even after a
 * failure.
 */
export function useAct(...changes: readonly QueryKey[]) {
  const queries = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  /**
   * Calls `after` after a success and `over` in any case, once the queries are up to date; only for the last action.
   */
  const act = (does: () => Promise<unknown>, after?: () => void, over?: () => void) =>
    mutate(does, { onSuccess: () => after?.(), onSettled: () => over?.() });
  return { act, busy: isPending, error, reset };
}
