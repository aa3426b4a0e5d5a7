import { useMe } from '../session/session.tsx';

const WRITERS = ['admin', 'write', 'contributor'];

/** Returns the rights of the user in a namespace, as far as the console knows; the hub decides. */
export function useRights(namespace: string) {
  const { data: me } = useMe();
  const role = me?.orgs.find(({ name }) => name === namespace)?.roleInOrg;
  return {
    write: me?.name === namespace || (role !== undefined && WRITERS.includes(role)),
    is: (user: string | undefined) => user !== undefined && user === me?.name,
  };
}
