import { Button, Group, Paper, Stack, Textarea, TextInput, Title } from '@mantine/core';
import { createTrustedPublisher } from '@moonbase/client/trusted-publishers';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { Proof, useProvenAct } from '../../sign-in/proven-act.tsx';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { claimsIn } from './claims-in.ts';
import { PUBLISHERS } from './queries.ts';

const EMPTY = { resource: '', issuer: 'https://token.actions.githubusercontent.com', claims: '' };

/** Allows jobs of a CI service to change a repository. */
export function NewTrustedPublisher() {
  const hub = useHub();
  const [draft, setDraft] = useState(EMPTY);
  useUnsaved(draft.resource !== '' || draft.claims !== '');
  const proven = useProvenAct(PUBLISHERS);
  const change = (changed: Partial<typeof EMPTY>) => setDraft({ ...draft, ...changed });
  const create = () => {
    const { resource, issuer, claims } = draft;
    const publisher = { resource: resource.trim(), issuer: issuer.trim(), claims: claimsIn(claims) };
    proven.act(
      () => createTrustedPublisher({ ...hub, ...publisher }),
      () => setDraft(EMPTY),
    );
  };
  return (
    <Paper withBorder p="md">
      <Stack>
        <form
          aria-label="New trusted publisher"
          onSubmit={(event) => {
            event.preventDefault();
            create();
          }}
        >
          <Stack>
            <Title order={3}>New trusted publisher</Title>
            <TextInput
              label="Repository"
              description="Or your name, or that of an organization, for reading what is there. Before data sets: datasets/."
              placeholder="acme/bert"
              required
              value={draft.resource}
              onChange={(event) => change({ resource: event.currentTarget.value })}
            />
            <TextInput
              label="Issuer"
              description="Who signs the tokens of the jobs."
              required
              value={draft.issuer}
              onChange={(event) => change({ issuer: event.currentTarget.value })}
            />
            <Textarea
              label="Claims"
              description="One a line, which a token must have exactly so: sub, or two others."
              placeholder={'repository = acme/training\nref = refs/heads/main'}
              autosize
              minRows={2}
              required
              value={draft.claims}
              onChange={(event) => change({ claims: event.currentTarget.value })}
            />
            <Group>
              <Button type="submit" loading={proven.busy}>
                Trust it
              </Button>
            </Group>
          </Stack>
        </form>
        <Proof of={proven} />
      </Stack>
    </Paper>
  );
}
