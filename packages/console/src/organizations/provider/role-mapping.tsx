import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { RoleSelect } from '../members/role-select.tsx';
import type { MappedRole } from './draft.ts';

/** The roles that groups of a provider give. */
export function RoleMapping(props: {
  readonly mapping: readonly MappedRole[];
  readonly change: (mapping: readonly MappedRole[]) => void;
}) {
  const { mapping, change } = props;
  const update = (key: number, changed: Partial<MappedRole>) =>
    change(mapping.map((each) => (each.key === key ? { ...each, ...changed } : each)));
  const add = () =>
    change([...mapping, { key: Math.max(0, ...mapping.map(({ key }) => key + 1)), group: '', role: 'read' }]);
  return (
    <Stack gap="xs" role="group" aria-label="Roles by group">
      <Text size="sm">
        A member has the best role of the groups that the provider names, anew at each sign-in. One group must give the
        role admin.
      </Text>
      {mapping.map(({ key, group, role }, at) => (
        <Group key={key} gap="xs">
          <TextInput
            aria-label={`Group ${at + 1}`}
            placeholder="engineers"
            className="grows"
            value={group}
            onChange={(event) => update(key, { group: event.currentTarget.value })}
          />
          <RoleSelect label={`Role by group ${at + 1}`} value={role} choose={(given) => update(key, { role: given })} />
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove group ${at + 1}`}
            onClick={() => change(mapping.filter((each) => each.key !== key))}
          >
            Remove
          </Button>
        </Group>
      ))}
      <Group>
        <Button size="xs" variant="default" onClick={add}>
          Add a group
        </Button>
      </Group>
    </Stack>
  );
}
