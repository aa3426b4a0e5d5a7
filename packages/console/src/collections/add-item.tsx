import { Button, Group, Paper, Select, TextInput } from '@mantine/core';
import { addCollectionItem } from '@moonbase/client/collections';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { oneOf } from '../ui/chosen.ts';
import { NAME_INPUT } from '../ui/forms/name-input.ts';
import { Refused } from '../ui/refused.tsx';

const TYPES = ['model', 'dataset', 'space', 'bucket', 'paper', 'collection'] as const;
const EXAMPLES = {
  ...{ model: 'acme/bert', dataset: 'acme/letters', space: 'acme/demo', bucket: 'acme/runs' },
  ...{ paper: '2401.00001', collection: 'acme/reading-list-…' },
} as const;

/** Adds an item to the end of a collection. */
export function AddItem({ of }: { readonly of: { readonly namespace: string; readonly slug: string } }) {
  const hub = useHub();
  const [type, setType] = useState<(typeof TYPES)[number]>('model');
  const [id, setId] = useState('');
  const [note, setNote] = useState('');
  const { act, busy, error, reset } = useAct(['collection', of.namespace, of.slug], ['collections']);
  const add = () =>
    addCollectionItem({
      ...{ ...hub, ...of, item: { type, id: id.trim() } },
      ...(note.trim() !== '' && { note: note.trim() }),
    });
  return (
    <Paper withBorder p="md" component="section" aria-label="Add an item">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(add, () => {
            setId('');
            setNote('');
          });
        }}
      >
        <Group gap="xs" align="flex-end">
          <Select
            label="Type"
            w={130}
            allowDeselect={false}
            data={TYPES}
            value={type}
            onChange={(chosen) => setType(oneOf(TYPES, chosen) ?? type)}
          />
          <TextInput
            label="Add"
            placeholder={EXAMPLES[type]}
            className="grows"
            {...NAME_INPUT}
            maxLength={300}
            value={id}
            onChange={(event) => {
              setId(event.currentTarget.value);
              reset();
            }}
          />
          <TextInput
            label="Note"
            className="grows"
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button type="submit" loading={busy} disabled={id.trim() === ''}>
            Add
          </Button>
        </Group>
      </form>
      <Refused error={error} />
    </Paper>
  );
}
