import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** Whatever can be done on a page, one thing at a time; what it may have changed is asked for again, also where it failed. */
export function useAct(...changes: readonly QueryKey[]) {
  const queries = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onSettled: () => Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  /** Calls `after` where it went well, and `over` in any case, when what it changed is there. Of several, the last counts. */
  const act = (does: () => Promise<unknown>, after?: () => void, over?: () => void) =>
    mutate(does, { onSuccess: () => after?.(), onSettled: () => over?.() });
  return { act, busy: isPending, error, reset };
}
