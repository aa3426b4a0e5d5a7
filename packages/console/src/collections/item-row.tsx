import { Button, Group, Text, TextInput } from '@mantine/core';
import { deleteCollectionItem, updateCollectionItem } from '@moonbase/client/collections';
import type { CollectionItem } from '@moonbase/contract/repositories/collections';
import { useState } from 'react';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { AskedButton } from '../ui/asking/asked-button.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { To } from '../ui/link.tsx';
import { Refused } from '../ui/refused.tsx';
import { pathOfItem, titleOfItem } from './path.ts';

/** An item of a collection, with its note; those who may change the collection move it, annotate it and remove it. */
export function ItemRow(props: {
  readonly of: { readonly namespace: string; readonly slug: string };
  readonly item: CollectionItem;
  /** The position of the item before this one; undefined for the first. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly mayChange: boolean;
}) {
  const { of, item, before, after, mayChange } = props;
  const hub = useHub();
  const [note, setNote] = useState<string>();
  useUnsaved(note !== undefined && note !== (item.note?.text ?? ''));
  const changed = ['collection', of.namespace, of.slug];
  const { act, busy, error } = useAct(changed);
  const one = { ...hub, ...of, itemId: item._id };
  const title = titleOfItem(item);
  const href = pathOfItem(item);
  const move = (position: number | undefined) =>
    position !== undefined && act(() => updateCollectionItem({ ...one, position }));
  return (
    <Group component="li" className="row" px="md" py="sm" gap="sm">
      <div className="fills">
        <To href={href} className="row-title" fw={600} fz={15}>
          {title}
        </To>
        <Text size="xs" c="dimmed">
          {item.type}
        </Text>
        {note === undefined ? (
          item.note && (
            <Text size="sm" className="breaks keeps-lines">
              {item.note.text}
            </Text>
          )
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              act(
                () => updateCollectionItem({ ...one, note: note.trim() }),
                () => setNote(undefined),
              );
            }}
          >
            <Group gap="xs" mt="xs" align="flex-end">
              <TextInput
                label={`Note on ${title}`}
                className="grows"
                maxLength={500}
                autoFocus
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
              />
              <Button type="submit" size="compact-sm" loading={busy}>
                Save
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => setNote(undefined)}>
                Cancel
              </Button>
            </Group>
          </form>
        )}
        <Refused error={error} />
      </div>
      {mayChange && note === undefined && (
        <Group gap={4}>
          {[
            { name: 'Up', position: before },
            { name: 'Down', position: after },
          ].map(({ name, position }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              disabled={busy || position === undefined}
              aria-label={`Move ${title} ${name.toLowerCase()}`}
              onClick={() => move(position)}
            >
              {name}
            </Button>
          ))}
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Note on ${title}`}
            onClick={() => setNote(item.note?.text ?? '')}
          >
            Note
          </Button>
          <AskedButton
            label="Remove"
            name={`Remove ${title}`}
            question={`Remove ${title} from this collection?`}
            does={() => deleteCollectionItem(one)}
            changes={[changed]}
          >
            {item.note ? 'The note on it is deleted; the thing itself stays.' : 'The thing itself stays.'}
          </AskedButton>
        </Group>
      )}
    </Group>
  );
}
