import { Stack } from '@mantine/core';
import { createCollection } from '@moonbase/client/collections';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { OwnerSelect, useOwner } from '../jobs/owner.tsx';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { FormEnd } from '../ui/forms/form-end.tsx';
import { Page } from '../ui/page.tsx';
import { Refused } from '../ui/refused.tsx';
import { Trail } from '../ui/trail.tsx';
import { type CollectionDraft, CollectionFields, fieldsOf } from './fields.tsx';
import { pathOfCollection } from './path.ts';

/** The form that creates a collection. */
export function NewCollection() {
  const hub = useHub();
  const [, go] = useLocation();
  const namespace = useOwner();
  const [draft, setDraft] = useState<CollectionDraft>({ title: '', description: '', private: false });
  const { act, busy, error, reset } = useAct(['collections']);
  const create = async () => {
    const { slug } = await createCollection({ ...hub, namespace, ...fieldsOf(draft) });
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
