import { getBucket } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';

/** Fetches what is known of a bucket as a whole. */
export function useBucket(repo: string) {
  const hub = useHub();
  return useQuery({
    queryKey: ['repo', 'bucket', repo],
    queryFn: ({ signal }) => getBucket({ ...hub, repo, signal }),
  });
}
