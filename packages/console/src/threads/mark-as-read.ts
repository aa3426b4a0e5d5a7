import { markNotifications } from '@moonbase/client/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { PAGES } from '../inbox/pages.ts';
import { useHub } from '../session/session.tsx';

/** Marks the notification of a thread as read when the thread is shown. */
export function useMarkAsRead(threadId: string | undefined, seen: number): void {
  const hub = useHub();
  const queries = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when more of the thread has come
  useEffect(() => {
    if (threadId === undefined) return;
    // A read-only token is refused, which is not an error here.
    markNotifications({ ...hub, discussionIds: [threadId] }).then(
      ({ count }) => void (count > 0 && queries.invalidateQueries({ queryKey: PAGES })),
      () => undefined,
    );
  }, [hub, queries, threadId, seen]);
}
