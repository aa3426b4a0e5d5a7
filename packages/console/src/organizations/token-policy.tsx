import { Paper, Select } from '@mantine/core';
import { updateTokenPolicy } from '@moonbase/client/member-tokens';
import { updateOrganization } from '@moonbase/client/organizations';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { useChosen } from '../ui/chosen.ts';
import { Refused } from '../ui/refused.tsx';
import { useOrganizationName } from './organization.tsx';

const POLICIES = {
  any: 'All tokens of members',
  'fine-grained': 'Fine-grained tokens only',
  approval: 'Tokens that an admin approved',
} as const;
type Policy = keyof typeof POLICIES;

/** Which access tokens the organization admits. */
export function TokenPolicy() {
  const name = useOrganizationName();
  const hub = useHub();
  const queryKey = ['organization-settings', name];
  const { data } = useQuery({
    queryKey,
    // Nothing answers the settings but a change of them: one of nothing.
    queryFn: ({ signal }) => updateOrganization({ ...hub, name, change: {}, signal }),
  });
  const { act, error } = useAct(queryKey, ['tokens', name]);
  const { chosen, choose, forget } = useChosen<{ policy: Policy }>();
  if (!data) return null;
  return (
    <Paper withBorder p="md" mb="sm">
      <Select
        label="The organization admits"
        maw={360}
        allowDeselect={false}
        data={Object.entries(POLICIES).map(([value, label]) => ({ value, label }))}
        value={chosen.policy ?? data.tokenPolicy}
        onChange={(value) => {
          if (value === null) return;
          const policy = value as Policy;
          choose({ policy });
          act(() => updateTokenPolicy({ ...hub, name, policy }), undefined, forget);
        }}
      />
      <Refused error={error} />
    </Paper>
  );
}
