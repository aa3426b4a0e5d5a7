import { Button, Group, Modal, Stack } from '@mantine/core';
import { type Collection, deleteCollection, updateCollection } from '@moonbase/client/collections';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Refused } from '../ui/refused.tsx';
import { CollectionFields, fieldsOf } from './fields.tsx';
import { pathOfCollection } from './path.ts';

/** Changes and deletes a collection. */
export function CollectionMenu(props: {
  readonly of: { readonly namespace: string; readonly slug: string };
  readonly collection: Collection;
}) {
  const { of, collection } = props;
  const one = { ...useHub(), ...of };
  const [, go] = useLocation();
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const [draft, setDraft] = useState({
    title: collection.title,
    description: collection.description ?? '',
    private: collection.private,
  });
  const { act, busy, error, reset } = useAct(['collection', of.namespace, of.slug], ['collections']);
  const stop = () => {
    setDoing(undefined);
    reset();
  };
  const save = async () => {
    const { data } = await updateCollection({ ...one, ...fieldsOf(draft) });
    // A new title is part of a new address; the former one leads here as well.
    go(pathOfCollection(data.slug), { replace: true });
  };
  return (
    <>
      <Button variant="default" onClick={() => setDoing('edit')}>
        Edit
      </Button>
      <Button variant="default" onClick={() => setDoing('delete')}>
        Delete
      </Button>
      <Modal
        opened={doing === 'edit'}
        onClose={stop}
        title="Edit the collection"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act(save, stop);
          }}
        >
          <Stack>
            <CollectionFields draft={draft} change={(changed) => setDraft({ ...draft, ...changed })} />
            <Refused error={error} mt="0" />
            <Group justify="flex-end">
              <Button variant="default" onClick={stop}>
                Cancel
              </Button>
              <Button type="submit" loading={busy} disabled={draft.title.trim() === ''}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
      <Confirm
        opened={doing === 'delete'}
        title={`Delete ${collection.title}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={stop}
        confirm={() => act(() => deleteCollection(one).then(() => go('/collections')))}
      >
        What it shows stays: repositories, papers and other collections.
      </Confirm>
    </>
  );
}
