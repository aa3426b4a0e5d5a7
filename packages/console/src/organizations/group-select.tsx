import { Select } from '@mantine/core';
import { listResourceGroups } from '@moonbase/client/resource-groups';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';

/** Selects a resource group of an organization; renders nothing if it has none, or shows none to the user. */
export function GroupSelect(props: {
  readonly organization: string;
  readonly group: string | undefined;
  readonly change: (group: string | undefined) => void;
}) {
  const { organization, group, change } = props;
  const hub = useHub();
  const { data: groups = [] } = useQuery({
    queryKey: ['resource-groups', organization],
    queryFn: ({ signal }) => listResourceGroups({ ...hub, organization, signal }),
  });
  if (groups.length === 0) return null;
  return (
    <Select
      label="Resource group"
      description="Optional; the group decides who sees it while it is private."
      clearable
      clearButtonProps={{ 'aria-label': 'No resource group' }}
      data={groups.map(({ id, name }) => ({ value: id, label: name }))}
      value={group ?? null}
      onChange={(id) => change(id ?? undefined)}
    />
  );
}
