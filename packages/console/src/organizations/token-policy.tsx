import { Paper, Select } from '@mantine/core';
import { getTokenPolicy, updateTokenPolicy } from '@moonbase/client/member-tokens';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { useChosen } from '../ui/chosen.ts';
import { Refused } from '../ui/refused.tsx';
import { useOrganizationName } from './organization.tsx';

const POLICIES = [
  { value: 'any', label: 'All tokens of members' },
  { value: 'fine-grained', label: 'Fine-grained tokens only' },
  { value: 'approval', label: 'Tokens that an admin approved' },
] as const;
type Policy = (typeof POLICIES)[number]['value'];

/** Represents null in a field. */
const NO_LIMIT = 'none';
const MAX_DAYS = [7, 30, 90, 365];

/** Returns the choices for the maximum lifetime, including the current one. */
function lifetimes(current: number | null) {
  const days = current === null || MAX_DAYS.includes(current) ? MAX_DAYS : [...MAX_DAYS, current];
  const words = days.toSorted((a, b) => a - b).map((each) => ({ value: `${each}`, label: `At most ${each} days` }));
  return [{ value: NO_LIMIT, label: 'Any' }, ...words];
}

/** The policy for access tokens that reach the organization. */
export function TokenPolicy() {
  const name = useOrganizationName();
  const hub = useHub();
  const queryKey = ['token-policy', name];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => getTokenPolicy({ ...hub, name, signal }) });
  const { act, error } = useAct(queryKey, ['tokens', name]);
  const { chosen, choose, forget } = useChosen<{ policy: Policy; maxDays: number | null }>();
  if (!data) return null;
  return (
    <Paper withBorder p="md" mb="sm">
      <Select
        label="Token policy"
        maw={360}
        allowDeselect={false}
        data={POLICIES}
        value={chosen.policy ?? data.policy}
        onChange={(value) => {
          const policy = POLICIES.find((each) => each.value === value)?.value;
          if (!policy) return;
          choose({ policy });
          act(() => updateTokenPolicy({ ...hub, name, policy }), undefined, forget);
        }}
      />
      <Select
        label="Lifetime of tokens"
        description="Tokens that live longer do not reach the organization."
        maw={360}
        mt="sm"
        allowDeselect={false}
        data={lifetimes(data.maxDays)}
        value={`${chosen.maxDays === undefined ? (data.maxDays ?? NO_LIMIT) : (chosen.maxDays ?? NO_LIMIT)}`}
        onChange={(value) => {
          if (value === null) return;
          const maxDays = value === NO_LIMIT ? null : Number(value);
          choose({ maxDays });
          act(() => updateTokenPolicy({ ...hub, name, maxDays }), undefined, forget);
        }}
      />
      <Refused error={error} />
    </Paper>
  );
}
