import { Alert, Button, Checkbox, Group, PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { WebhookInput } from '@moonbase/client/webhooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { type Draft, inputOf } from './draft.ts';
import { GeneratedSecret } from './generated-secret.tsx';
import { EventCatalogue } from './samples/event-catalogue.tsx';
import { TargetFields } from './target-fields.tsx';
import { faultsOf, refusalsOf, useSchema } from './validation.ts';
import { WatchedField } from './watched-field.tsx';

const DOMAINS = ['repo', 'discussion'] as const;

/** Creates or changes a webhook. A field shows its fault once it was touched, and every field after submitting. */
export function WebhookForm(props: {
  readonly initial: Draft;
  /** Set for an existing webhook, whose target and secret stay unless the form sets others. */
  readonly existing?: { readonly hasSecret: boolean };
  readonly submitLabel: string;
  readonly back: string;
  readonly save: (webhook: WebhookInput) => Promise<unknown>;
}) {
  const { initial, existing, submitLabel, back, save } = props;
  const [draft, setDraft] = useState(initial);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  useUnsaved(draft !== initial && JSON.stringify(draft) !== JSON.stringify(initial));
  const schema = useSchema();
  const input = inputOf(draft, existing && initial);
  const faults = faultsOf(schema, input);
  const saving = useMutation({ mutationFn: save });
  const refusals = saving.error ? refusalsOf(saving.error) : {};

  const set = (change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }));
    if (saving.error) saving.reset();
  };
  const touch = (...fields: string[]) => setTouched((before) => new Set([...before, ...fields]));
  const fault = (field: string) => refusals[field] ?? (touched.has(field) ? faults[field] : undefined);
  const elsewhere = Object.entries(refusals).filter(
    ([field]) =>
      !['name', 'description', 'url', 'jobSourceId', 'watched', 'domains', 'secret'].includes(field) &&
      !field.startsWith('job.'),
  );

  function submit() {
    touch(...Object.keys(faults));
    if (Object.keys(faults).length === 0) saving.mutate(input);
    else document.querySelector<HTMLElement>('[data-fields] [aria-invalid=true]')?.focus();
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack maw={680} data-fields>
        <LabelFields draft={draft} change={set} fault={fault} touch={touch} />
        <TargetFields
          draft={draft}
          existingJob={existing !== undefined && initial.target === 'job'}
          change={set}
          fault={fault}
          touch={touch}
        />
        <WatchedField
          watched={draft.watched}
          change={(watched) => {
            set({ watched });
            touch('watched');
          }}
          fault={fault('watched')}
        />
        <Checkbox.Group
          label="Events"
          required
          value={[...draft.domains]}
          onChange={(domains) => {
            set({ domains: DOMAINS.filter((domain) => domains.includes(domain)) });
            touch('domains');
          }}
          error={fault('domains')}
        >
          <Group mt="xs">
            <Checkbox value="repo" label="Repositories: content, settings, creation, moves and deletion" />
            <Checkbox value="discussion" label="Discussions and comments" />
          </Group>
        </Checkbox.Group>
        <PasswordInput
          label="Secret"
          description={
            existing?.hasSecret
              ? 'A secret is set; leave this empty to keep it.'
              : 'Deliveries carry it and are signed with it, so that the receiver can verify the sender.'
          }
          autoComplete="new-password"
          value={draft.secret}
          onChange={(event) => set({ secret: event.currentTarget.value })}
          onBlur={() => touch('secret')}
          error={fault('secret')}
        />
        <GeneratedSecret secret={draft.secret} use={(secret) => set({ secret })} />
        <EventCatalogue />
        {elsewhere.map(([field, message]) => (
          <Alert key={field} color="red" role="alert">
            {field} {message}
          </Alert>
        ))}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {submitLabel}
          </Button>
          <Button component={Link} href={back} variant="default">
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What people call the webhook, and what it is for. */
function LabelFields(props: {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  readonly fault: (field: string) => string | undefined;
  readonly touch: (field: string) => void;
}) {
  const { draft, change, fault, touch } = props;
  return (
    <>
      <TextInput
        label="Name"
        description="What people call it; without one, lists show its target."
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        onBlur={() => touch('name')}
        error={fault('name')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={draft.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        onBlur={() => touch('description')}
        error={fault('description')}
      />
    </>
  );
}
