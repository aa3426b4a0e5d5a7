import { Stack } from '@mantine/core';
import { createCollection } from '@moonbase/client/collections';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { OwnerSelect, useOwner } from '../jobs/owner.tsx';
import { GroupSelect } from '../organizations/group-select.tsx';
import { useHub, useMe } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Trail } from '../ui/trail.tsx';
import { type CollectionDraft, CollectionFields, fieldsOf } from './fields.tsx';
import { pathOfCollection } from './path.ts';

/** The form that creates a collection. */
export function NewCollection() {
  const hub = useHub();
  const [, go] = useLocation();
  const { data: me } = useMe();
  const namespace = useOwner();
  const organization = namespace === me?.name ? undefined : namespace;
  const [draft, setDraft] = useState<CollectionDraft>({ title: '', description: '', private: false });
  const [chosen, setChosen] = useState<{ readonly organization: string; readonly id: string }>();
  // A group is of one organization: it counts as long as that one is the owner.
  const groupId = chosen && chosen.organization === organization ? chosen.id : undefined;
  useUnsaved(draft.title !== '' || draft.description !== '');
  const { act, busy, error, reset } = useAct(['collections']);
  const create = async () => {
    const { slug } = await createCollection({ ...hub, namespace, ...fieldsOf(draft), resourceGroupId: groupId });
    go(pathOfCollection(slug));
  };
  return (
    <Page title="New collection" above={<Trail above={[{ href: '/collections', name: 'Collections' }]}>New</Trail>}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          act(create);
        }}
      >
        <Stack maw={640}>
          <OwnerSelect labelled />
          <CollectionFields
            draft={draft}
            change={(changed) => {
              setDraft((before) => ({ ...before, ...changed }));
              reset();
            }}
          />
          {organization !== undefined && (
            <GroupSelect
              organization={organization}
              group={groupId}
              change={(id) => {
                setChosen(id === undefined ? undefined : { organization, id });
                reset();
              }}
            />
          )}
          <Refused error={error} mt="0" />
          <FormEnd
            submit="Create collection"
            busy={busy}
            disabled={draft.title.trim() === '' || namespace === undefined}
            back="/collections"
          />
        </Stack>
      </form>
    </Page>
  );
}
