import { Button, Group, Pill, Select, Text, TextInput } from '@mantine/core';
import { type ResourceGroup, setRepoResourceGroup } from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { oneOf } from '../ui/chosen.ts';
import { Refused } from '../ui/refused.tsx';
import { useOrganizationName } from './organization.tsx';

const TYPES = ['model', 'dataset', 'space', 'bucket', 'kernel'] as const;
type Type = (typeof TYPES)[number];

/** The repositories of a resource group. A repository is in at most one group, so adding moves it. */
export function GroupRepos({ group }: { readonly group: ResourceGroup }) {
  const organization = useOrganizationName();
  const hub = useHub();
  const [type, setType] = useState<Type>('model');
  const [name, setName] = useState('');
  const { act, busy, error, reset } = useAct(['resource-groups', organization]);
  const given = name.trim();
  const put = (repo: { type: Type; repo: string }, resourceGroupId: string | null, after?: () => void) =>
    act(() => setRepoResourceGroup({ ...hub, ...repo, resourceGroupId }), after);
  return (
    <>
      <Group gap={6} my="xs" component="ul" className="plain-list" aria-label={`Repositories of ${group.name}`}>
        {group.repos.map((repo) => (
          <Pill
            key={`${repo.type} ${repo.name}`}
            component="li"
            size="md"
            maw="100%"
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${repo.name}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => put({ type: repo.type, repo: repo.name }, null)}
          >
            {repo.type}: {repo.name}
          </Pill>
        ))}
      </Group>
      {group.repos.length === 0 && (
        <Text size="sm" c="dimmed">
          No repositories.
        </Text>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const repo = given.includes('/') ? given : `${organization}/${given}`;
          put({ type, repo }, group.id, () => setName(''));
        }}
      >
        <Group gap="xs" align="flex-end" mb="sm">
          <TextInput
            label="Add a repository"
            className="grows"
            placeholder="bert"
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
              reset();
            }}
          />
          <Select
            label="Type"
            w={150}
            allowDeselect={false}
            data={TYPES}
            value={type}
            onChange={(text) => setType(oneOf(TYPES, text) ?? type)}
          />
          <Button type="submit" variant="default" loading={busy} disabled={given === ''}>
            Add repository
          </Button>
        </Group>
      </form>
      <Refused error={error} />
    </>
  );
}
