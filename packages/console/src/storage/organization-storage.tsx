import { getOrganizationStorageUsage } from '@moonbase/client/quotas';
import { useQuery } from '@tanstack/react-query';
import { Organization, useOrganizationName } from '../organizations/organization.tsx';
import { useHub } from '../session/session.tsx';
import { Loaded, Loading } from '../ui/states.tsx';
import { StorageSection } from './storage-section.tsx';

/** How much of the quota of an organization is used. */
export function OrganizationStorage() {
  const organization = useOrganizationName();
  const hub = useHub();
  const query = useQuery({
    queryKey: ['organization-storage', organization],
    queryFn: ({ signal }) => getOrganizationStorageUsage({ ...hub, organization, signal }),
  });
  return (
    <Organization tab="Storage">
      <Loaded query={query} loading={<Loading rows={1} />}>
        {(usage) => <StorageSection usage={usage} />}
      </Loaded>
    </Organization>
  );
}
