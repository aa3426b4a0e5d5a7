import { Button, Group, Select, TextInput } from '@mantine/core';
import { getBucket, getRepo } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useHub, useMe } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { oneOf } from '../../ui/chosen.ts';
import { Refused } from '../../ui/refused.tsx';
import type { Scope } from './scopes.ts';

const TYPES = ['model', 'dataset', 'space', 'kernel', 'bucket'] as const;

/** Adds an organization of the user, or a repository by name. */
export function AddScope(props: {
  /** The ids of the existing scopes. */
  readonly taken: readonly string[];
  readonly add: (entity: Scope['entity']) => void;
}) {
  const { taken, add } = props;
  const hub = useHub();
  const { data: me } = useMe();
  const [type, setType] = useState<(typeof TYPES)[number]>('model');
  const [repo, setRepo] = useState('');
  const { act, busy, error, reset } = useAct();
  const orgs = (me?.orgs ?? []).filter(({ id }) => !taken.includes(id));
  const addRepo = async () => {
    const request = { ...hub, repo: repo.trim() };
    const { _id, id } = type === 'bucket' ? await getBucket(request) : await getRepo({ ...request, type });
    if (!taken.includes(_id)) add({ _id, type, name: id });
    setRepo('');
  };
  // Enter in this field adds a scope instead of submitting the surrounding form.
  const onEnter = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    act(addRepo);
  };
  return (
    <>
      {orgs.length > 0 && (
        <Select
          label="Add an organization"
          placeholder="Choose one"
          data={orgs.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          onChange={(id) => {
            const org = orgs.find((each) => each.id === id);
            if (org) add({ _id: org.id, type: 'org', name: org.name });
          }}
        />
      )}
      <Group gap="xs" align="flex-end">
        <Select
          label="Type"
          w={130}
          allowDeselect={false}
          data={TYPES}
          value={type}
          onChange={(text) => setType(oneOf(TYPES, text) ?? type)}
        />
        <TextInput
          label="Add a repository"
          className="grows"
          placeholder="acme/bert"
          autoComplete="off"
          value={repo}
          onKeyDown={onEnter}
          onChange={(event) => {
            setRepo(event.currentTarget.value);
            reset();
          }}
        />
        <Button
          variant="default"
          loading={busy}
          disabled={!/^\s*[^/\s]+\/[^/\s]+\s*$/.test(repo)}
          onClick={() => act(addRepo)}
        >
          Add repository
        </Button>
      </Group>
      <Refused error={error} mt="0" />
    </>
  );
}
