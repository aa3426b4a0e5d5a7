import { Alert, Button, Group, Paper, Stack, TextInput, Title } from '@mantine/core';
import { type OrganizationProvider, setSingleSignOn, testSingleSignOn } from '@moonbase/client/single-sign-on';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { Refused } from '../../ui/refused.tsx';
import { useOrganizationName } from '../organization.tsx';
import { draftOf, type ProviderDraft, providerOf } from './draft.ts';
import { AdmissionFields, ClaimFields, ClientFields } from './provider-fields.tsx';
import { PROVIDER } from './query-key.ts';

/** Sets or changes the provider of an organization, whose issuer can be tested first. */
export function ProviderForm({ provider }: { readonly provider: OrganizationProvider | null }) {
  const hub = useHub();
  const organization = useOrganizationName();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const [saved, setSaved] = useState(draft);
  useUnsaved(JSON.stringify(draft) !== JSON.stringify(saved));
  const { act, busy, error, reset } = useAct([...PROVIDER, organization]);
  const test = useMutation({
    mutationFn: () => testSingleSignOn({ ...hub, organization, issuer: draft.issuer.trim(), retry: false }),
  });
  const change = (changed: Partial<ProviderDraft>) => {
    setDraft({ ...draft, ...changed });
    reset();
    test.reset();
  };
  return (
    <Paper withBorder p="md">
      <form
        aria-label="OpenID provider"
        onSubmit={(event) => {
          event.preventDefault();
          act(
            () => setSingleSignOn({ ...hub, organization, provider: providerOf(draft) }),
            () => {
              const next = { ...draft, secret: '', dropsSecret: false };
              setDraft(next);
              setSaved(next);
            },
          );
        }}
      >
        <Stack>
          <Title order={2}>OpenID provider</Title>
          <Group align="flex-end" gap="xs">
            <TextInput
              label="Issuer"
              className="grows"
              placeholder="https://login.acme.com"
              required
              value={draft.issuer}
              onChange={(event) => change({ issuer: event.currentTarget.value })}
            />
            <Button
              variant="default"
              loading={test.isPending}
              disabled={draft.issuer.trim() === ''}
              onClick={() => test.mutate()}
            >
              Test
            </Button>
          </Group>
          {test.data && (
            <Alert color={test.data.works ? 'green' : 'red'} role={test.data.works ? 'status' : 'alert'} p="sm">
              <span className="breaks">{test.data.message}</span>
            </Alert>
          )}
          <Refused error={test.error} mt="0" />
          <ClientFields draft={draft} change={change} hasSecret={provider?.hasSecret ?? false} />
          <ClaimFields draft={draft} change={change} />
          <AdmissionFields draft={draft} change={change} />
          <Refused error={error} mt="0" />
          <Group>
            <Button type="submit" loading={busy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
