import { Button, Group, Select, TextInput } from '@mantine/core';
import type { CustomRole } from '@moonbase/client/custom-roles';
import { useState } from 'react';
import { Refused } from '../../ui/refused.tsx';
import { ROLES } from './role-select.tsx';

export interface RoleDraft {
  readonly name: string;
  readonly base: CustomRole['base'];
  readonly description: string;
}

export const NO_ROLE: RoleDraft = { name: '', base: 'read', description: '' };

/** What a role of an organization's own is; `save` calls `clear` where it went well. */
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
          label="May what this one may"
          w={190}
          allowDeselect={false}
          data={ROLES}
          value={draft.base}
          onChange={(base) => base && set({ base: base as RoleDraft['base'] })}
        />
        <TextInput
          label="What it is for"
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
