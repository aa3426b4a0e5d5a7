import { Button, Group, TextInput } from '@mantine/core';
import { moveRepo } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import type { NamedRepo } from '../place.ts';
import { Part } from './part.tsx';

/** Renames a repository, or gives it to another owner. */
export function Move(props: {
  readonly place: NamedRepo;
  /** Returns the address of this page for another name of the repository. */
  readonly hrefAt: (repo: string) => string;
}) {
  const { hrefAt } = props;
  const { type, repo } = props.place;
  const hub = useHub();
  const [, go] = useLocation();
  const [entered, setEntered] = useState(repo);
  const { act, busy, error, reset } = useAct(['repositories']);
  const to = entered.trim();
  const isName = /^[^/]+\/[^/]+$/.test(to);
  return (
    <Part title="Owner and name" error={error}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(
            () => moveRepo({ ...hub, type, from: repo, to }),
            () => go(hrefAt(to)),
          );
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="New owner and name"
            description="The former address leads to the new one."
            className="grows"
            {...NAME_INPUT}
            maxLength={140}
            value={entered}
            onChange={(event) => {
              setEntered(event.currentTarget.value);
              reset();
            }}
          />
          <Button type="submit" variant="default" loading={busy} disabled={!isName || to === repo}>
            Move
          </Button>
        </Group>
      </form>
    </Part>
  );
}
