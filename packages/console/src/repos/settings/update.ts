import { updateRepoSettings } from '@moonbase/client/repositories';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import type { NamedRepo } from '../place.ts';

/** Returns a function that changes settings of a repository. */
export function useUpdate({ type, repo }: NamedRepo) {
  const hub = useHub();
  const { act, busy, error, reset } = useAct(['repo', type, repo], ['discussions', type, repo], ['repositories']);
  const update = (settings: Parameters<typeof updateRepoSettings>[0]['settings'], after?: () => void) =>
    act(() => updateRepoSettings({ ...hub, type, repo, settings }), after);
  return { update, busy, error, reset };
}
