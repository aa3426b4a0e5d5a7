import { Select } from '@mantine/core';
import { listCustomRoles } from '@moonbase/client/custom-roles';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../../session/session.tsx';
import { useOrganizationName } from '../organization.tsx';

/** The built-in roles, from the most rights to none. */
export const ROLES = ['admin', 'write', 'contributor', 'read', 'no_access'] as const;
const MAX_ROLES = 1000;

/** Selects a built-in role or, if the plan includes them, a custom role of the organization. */
export function RoleSelect(props: {
  readonly label: string;
  /** Whether the label is visible. */
  readonly labelled?: boolean;
  readonly value: string | null;
  readonly choose: (role: string) => void;
}) {
  const { label, labelled = false, value, choose } = props;
  const organization = useOrganizationName();
  const hub = useHub();
  const { data: own = [] } = useQuery({
    queryKey: ['roles', organization, 'names'],
    queryFn: async ({ signal }) => {
      const names: string[] = [];
      for await (const { name } of listCustomRoles({ ...hub, organization, pageSize: MAX_ROLES, signal }))
        names.push(name);
      return names;
    },
    staleTime: 60_000,
    retry: false,
  });
  const known: string[] = [...ROLES, ...own];
  return (
    <Select
      {...(labelled ? { label } : { 'aria-label': label })}
      w={150}
      allowDeselect={false}
      data={value === null || known.includes(value) ? known : [value, ...known]}
      value={value}
      onChange={(chosen) => chosen && choose(chosen)}
    />
  );
}
