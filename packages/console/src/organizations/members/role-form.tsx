import { Button, Group, Select, TextInput } from '@mantine/core';
import type { CustomRole } from '@moonbase/client/custom-roles';
import { useState } from 'react';
import { oneOf } from '../../ui/chosen.ts';
import { Refused } from '../../ui/refused.tsx';
import { ROLES } from './role-select.tsx';

export interface RoleDraft {
  readonly name: string;
  readonly base: CustomRole['base'];
  readonly description: string;
}

export const NO_ROLE: RoleDraft = { name: '', base: 'read', description: '' };

/** The form of a custom role; `save` calls `clear` once the role is saved. */
export function RoleForm(props: {
  readonly initial: RoleDraft;
  readonly nameLabel: string;
  readonly action: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly save: (role: RoleDraft, clear: () => void) => void;
}) {
  const { initial, nameLabel, action, busy, error, save } = props;
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<RoleDraft>) => setDraft((before) => ({ ...before, ...change }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save({ ...draft, name: draft.name.trim(), description: draft.description.trim() }, () => setDraft(initial));
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label={nameLabel}
          className="grows"
          maxLength={64}
          value={draft.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <Select
          label="Inherits from"
          w={190}
          allowDeselect={false}
          data={ROLES}
          value={draft.base}
          onChange={(text) => set({ base: oneOf(ROLES, text) ?? draft.base })}
        />
        <TextInput
          label="Description"
          className="grows"
          maxLength={500}
          value={draft.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <Button type="submit" loading={busy} disabled={draft.name.trim() === ''}>
          {action}
        </Button>
      </Group>
      <Refused error={error} />
    </form>
  );
}
