import { getSignInMethods } from '@moonbase/client/authentication';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';

export type Methods = Awaited<ReturnType<typeof getSignInMethods>>;

/** Returns the ways to sign in to this hub. */
export function useSignInMethods() {
  const hub = useHub();
  return useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) => getSignInMethods({ ...hub, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
