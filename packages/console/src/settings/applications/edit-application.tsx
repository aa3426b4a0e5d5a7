import { Button, Group, Stack } from '@mantine/core';
import { type Application, updateApplication } from '@moonbase/client/applications';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { Refused } from '../../ui/refused.tsx';
import { type ApplicationDraft, ApplicationFields, settingsOf } from './application-fields.tsx';
import { APPLICATIONS } from './queries.ts';

/** Changes an application; the grants that users gave stay as they are. */
export function EditApplication({
  application,
  close,
}: {
  readonly application: Application;
  readonly close: () => void;
}) {
  const hub = useHub();
  const { clientId, name, redirectUris, scopes } = application;
  const [initial] = useState<ApplicationDraft>({ name, redirects: redirectUris.join('\n'), scopes });
  const [draft, setDraft] = useState(initial);
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(initial));
  const { act, busy, error } = useAct(APPLICATIONS);
  return (
    <form
      aria-label={`Change ${name}`}
      onSubmit={(event) => {
        event.preventDefault();
        act(() => updateApplication({ ...hub, clientId, change: settingsOf(draft) }), close);
      }}
    >
      <Stack mt="sm">
        <ApplicationFields draft={draft} change={setDraft} />
        <Refused error={error} mt="0" />
        <Group>
          <Button type="submit" loading={busy} disabled={draft.scopes.length === 0}>
            Save
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
