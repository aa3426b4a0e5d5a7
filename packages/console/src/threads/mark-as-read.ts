import { markNotifications } from '@moonbase/client/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PAGES } from '../inbox/pages.ts';
import { useHub } from '../session/session.tsx';

/** Who sees a thread has read what the inbox says of it. */
export function useMarkAsRead(threadId: string | undefined, seen: number): void {
  const hub = useHub();
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when more of the thread has come
  useEffect(() => {
    if (threadId === undefined) return;
    // A token that may only read leaves it as it is.
    markNotifications({ ...hub, discussionIds: [threadId] }).then(
      ({ count }) => void (count > 0 && queries.invalidateQueries({ queryKey: PAGES })),
      () => undefined,
    );
  }, [hub, queries, threadId, seen]);
}
