import { Button, Group, Pill, Text, TextInput } from '@mantine/core';
import type { ResourceGroup } from '@moonbase/client/resource-groups';
import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useAct } from '../../ui/act.ts';
import { Confirm } from '../../ui/asking/confirm.tsx';
import { To } from '../../ui/link.tsx';
import { Refused } from '../../ui/refused.tsx';
import { useOrganizationName } from '../organization.tsx';

interface Thing {
  readonly key: string;
  readonly type: string;
  readonly name: string;
  readonly href: string;
  readonly remove: () => Promise<unknown>;
}

const WORDS = {
  repository: { many: 'repositories', heading: 'Repositories' },
  collection: { many: 'collections', heading: 'Collections' },
} as const;

/** The things of one kind in a resource group. Each is in at most one group, so adding moves it. */
export function GroupThings(props: {
  readonly group: ResourceGroup;
  readonly kind: keyof typeof WORDS;
  readonly things: readonly Thing[];
  readonly placeholder: string;
  /** A field beside the one for the name. */
  readonly beside?: ReactNode;
  /** Adds what the user has named. */
  readonly add: (given: string) => Promise<unknown>;
  /** What changes beside the groups. */
  readonly changes?: readonly QueryKey[];
}) {
  const { group, kind, things, placeholder, beside, add, changes = [] } = props;
  const organization = useOrganizationName();
  const [given, setGiven] = useState('');
  const [removing, setRemoving] = useState<Thing>();
  const { act, busy, error, reset } = useAct(['resource-groups', organization], ...changes);
  const { many, heading } = WORDS[kind];
  const stop = () => {
    setRemoving(undefined);
    reset();
  };
  return (
    <>
      <Confirm
        opened={removing !== undefined}
        title={`Remove ${removing?.name} from ${group.name}?`}
        action="Remove"
        busy={busy}
        error={error}
        close={stop}
        confirm={() => removing && act(removing.remove, stop)}
      >
        The {kind} stays, open to the members of {organization} as their roles in it say.
      </Confirm>
      <Group gap={6} my="xs" component="ul" className="plain-list" aria-label={`${heading} of ${group.name}`}>
        {things.map((thing) => (
          <Pill
            key={thing.key}
            component="li"
            size="md"
            maw="100%"
            withRemoveButton
            removeButtonProps={{ 'aria-label': `Remove ${thing.name}`, 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => setRemoving(thing)}
          >
            {thing.type}:{' '}
            <To href={thing.href} c="inherit" inherit>
              {thing.name}
            </To>
          </Pill>
        ))}
      </Group>
      {things.length === 0 && (
        <Text size="sm" c="dimmed">
          No {many}.
        </Text>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(
            () => add(given.trim()),
            () => setGiven(''),
          );
        }}
      >
        <Group gap="xs" align="flex-end" mb="sm">
          <TextInput
            label={`Add a ${kind}`}
            className="grows"
            placeholder={placeholder}
            value={given}
            onChange={(event) => {
              setGiven(event.currentTarget.value);
              reset();
            }}
          />
          {beside}
          <Button type="submit" variant="default" loading={busy} disabled={given.trim() === ''}>
            Add {kind}
          </Button>
        </Group>
      </form>
      <Refused error={error} />
    </>
  );
}
