import { listRefs } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import type { Place } from '../place.ts';

export type Ref = Awaited<ReturnType<typeof listRefs>>['branches'][number];

/** Fetches the branches and tags of a repository. */
export function useRefs({ type, repo }: Pick<Place, 'type' | 'repo'>) {
  const hub = useHub();
  return useQuery({
    queryKey: ['refs', type, repo],
    queryFn: ({ signal }) => listRefs({ ...hub, type, repo, signal }),
  });
}
