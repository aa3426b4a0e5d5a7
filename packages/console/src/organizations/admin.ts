import { useMe } from '../session/session.tsx';

/** Returns whether the user is an admin of the organization, as far as the console knows; the hub decides. */
export function useIsAdmin(organization: string): boolean {
  const { data: me } = useMe();
  return me?.orgs.some(({ name, roleInOrg }) => name === organization && roleInOrg === 'admin') ?? false;
}
