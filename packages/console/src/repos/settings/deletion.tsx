import { Button, Group, Text, TextInput } from '@mantine/core';
import { deleteRepo } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import type { NamedRepo } from '../place.ts';
import { Part } from './part.tsx';

/** Deletes a repository, after its name has been typed. */
export function Deletion({ place: { type, repo } }: { readonly place: NamedRepo }) {
  const hub = useHub();
  const [, go] = useLocation();
  const [typed, setTyped] = useState('');
  const { act, busy, error, reset } = useAct(['repositories']);
  return (
    <Part title="Delete the repository" error={error}>
      <Text size="sm">
        {type === 'bucket' ? 'Its files' : 'Its files, commits and discussions'} are deleted with it. Nobody can bring
        them back.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(
            () => deleteRepo({ ...hub, type, repo }),
            () => go(`/repositories?owner=${encodeURIComponent(repo.split('/')[0] ?? '')}`),
          );
        }}
      >
        <Group align="flex-end">
          <TextInput
            label={`Type ${repo} to confirm`}
            className="grows"
            {...NAME_INPUT}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              reset();
            }}
          />
          <Button type="submit" color="red" loading={busy} disabled={typed.trim() !== repo}>
            Delete
          </Button>
        </Group>
      </form>
    </Part>
  );
}
