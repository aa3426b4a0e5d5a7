import { useMe } from '../session/session.tsx';

/** Returns what the user is in an organization, as far as the console knows; the hub decides. */
export function useStanding(organization: string): { readonly isMember: boolean; readonly isAdmin: boolean } {
  const { data: me } = useMe();
  const role = me?.orgs.find(({ name }) => name === organization)?.roleInOrg;
  return { isMember: role !== undefined, isAdmin: role === 'admin' };
}

/** Returns whether the user is an admin of the organization, as far as the console knows; the hub decides. */
export const useIsAdmin = (organization: string): boolean => useStanding(organization).isAdmin;
