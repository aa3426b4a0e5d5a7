import { Alert, Button, Checkbox, Code, Group, Paper, Stack, Title } from '@mantine/core';
import { createApplication } from '@moonbase/client/applications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { ShownOnce } from '../../ui/secrets/shown-once.tsx';
import { Failure } from '../../ui/states.tsx';
import { ApplicationFields, EMPTY_DRAFT, settingsOf } from './application-fields.tsx';
import { APPLICATIONS } from './queries.ts';

/** Registers an application, and shows its secret once. */
export function NewApplication() {
  const hub = useHub();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  useUnsaved(draft.name !== '' || draft.redirects !== '');
  const [confidential, setConfidential] = useState(false);
  const create = useMutation({
    mutationFn: () => createApplication({ ...hub, ...settingsOf(draft), confidential }),
    onSuccess: () => setDraft({ ...draft, name: '', redirects: '' }),
    onSettled: () => queries.invalidateQueries({ queryKey: APPLICATIONS }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Paper withBorder p="md" component="form" onSubmit={submit} aria-label="New application">
      <Stack>
        <Title order={3}>New application</Title>
        <ApplicationFields draft={draft} change={setDraft} />
        <Checkbox
          label="It keeps a secret"
          description="Programs on a server do; what runs in browsers and on machines of users does not."
          checked={confidential}
          onChange={(event) => setConfidential(event.currentTarget.checked)}
        />
        {create.error && <Failure error={create.error} />}
        {create.data && (
          <Alert color="green" title={`${create.data.name} is registered`} role="status">
            Its id is <Code>{create.data.clientId}</Code>
          </Alert>
        )}
        {create.data?.clientSecret !== undefined && (
          <ShownOnce title={`Secret of ${create.data.name}`} value={create.data.clientSecret} what="the secret">
            Give this secret to the application.
          </ShownOnce>
        )}
        <Group>
          <Button type="submit" loading={create.isPending} disabled={draft.scopes.length === 0}>
            Register
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
