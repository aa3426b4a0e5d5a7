import { Button, Group, Modal, Stack } from '@mantine/core';
import { type Collection, deleteCollection, updateCollection } from '@moonbase/client/collections';
import { setCollectionResourceGroup } from '@moonbase/client/resource-groups';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { GroupSelect } from '../organizations/group-select.tsx';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';
import { CollectionFields, fieldsOf } from './fields.tsx';
import { pathOfCollection } from './path.ts';

/** Changes and deletes a collection. */
export function CollectionMenu(props: {
  readonly of: { readonly namespace: string; readonly slug: string };
  readonly collection: Collection;
  /** The resource group that the collection is in. */
  readonly groupId: string | undefined;
}) {
  const { of, collection, groupId } = props;
  const { owner } = collection;
  const one = { ...useHub(), ...of };
  const [, go] = useLocation();
  const [doing, setDoing] = useState<'edit' | 'delete'>();
  const stored = {
    title: collection.title,
    description: collection.description ?? '',
    private: collection.private,
    groupId,
  };
  // What the user has changed stays while the collection is read again, and over closing the dialog.
  const [changed, setChanged] = useState<Partial<typeof stored>>({});
  const draft = { ...stored, ...changed };
  useUnsaved(doing === 'edit' && (draft.title !== stored.title || draft.description !== stored.description));
  const { act, busy, error, reset } = useAct(
    ['collection', of.namespace, of.slug],
    ['collections'],
    ['resource-groups', owner.name],
  );
  const stop = () => {
    setDoing(undefined);
    reset();
  };
  const save = async () => {
    const { groupId: chosen, ...fields } = draft;
    // The group decides who sees a private collection, so that it comes first.
    if (chosen !== groupId) await setCollectionResourceGroup({ ...one, resourceGroupId: chosen ?? null });
    const { data } = await updateCollection({ ...one, ...fieldsOf(fields) });
    setChanged({});
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
            <CollectionFields draft={draft} change={(change) => setChanged({ ...changed, ...change })} />
            {owner.type === 'org' && (
              <GroupSelect
                organization={owner.name}
                group={draft.groupId}
                change={(chosen) => setChanged({ ...changed, groupId: chosen })}
              />
            )}
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
        The repositories, papers and collections that it shows stay.
      </Confirm>
    </>
  );
}
