import { updateMuted, updateWatched } from '@moonbase/client/watching';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { PAGES } from './pages.ts';
import type { Leaving, Reason } from './reasons.ts';

export interface Leave {
  readonly leaving: Leaving;
  readonly reason: Reason;
  readonly title: string;
}

/** Stops watching what a notification came from, or mutes its thread, and the reverse of either. */
export function useLeave() {
  const hub = useHub();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ leaving, reason: { id, watched } }: Leave) => {
      const items = watched.map((each) => ({ id: each.id, type: each.type }));
      const thread = [{ id, type: 'discussion' as const }];
      switch (leaving) {
        case 'watch':
          return updateWatched({ ...hub, add: items });
        case 'unwatch':
          return updateWatched({ ...hub, delete: items });
        case 'mute':
          return updateMuted({ ...hub, add: thread });
        case 'unmute':
          return updateMuted({ ...hub, delete: thread });
      }
    },
    onSettled: () =>
      Promise.all([PAGES, ['watched'], ['muted']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
