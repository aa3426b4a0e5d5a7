import { listResourceGroups } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import { useHub, useMe } from '../session/session.tsx';

/** Returns the resource group of a collection, if it is in one of the user's. */
export function useGroupOf(owner: string, slug: string | undefined): string | undefined {
  const hub = useHub();
  const { data: me } = useMe();
  const { data: groups = [] } = useQuery({
    enabled: me?.orgs.some(({ name }) => name === owner) ?? false,
    queryKey: ['resource-groups', owner],
    queryFn: ({ signal }) => listResourceGroups({ ...hub, organization: owner, signal }),
  });
  return groups.find(({ collections }) => collections.some((each) => each.slug === slug))?.id;
}
