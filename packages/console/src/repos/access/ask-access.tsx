import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { HubApiError } from '@moonbase/client/errors';
import { askAccessOfType, cancelAccessRequest } from '@moonbase/client/gating';
import { getRepo } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { AskedButton } from '../../ui/asking/asked-button.tsx';
import { faultOf } from '../../ui/fault.ts';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { Refused } from '../../ui/refused.tsx';
import { Loaded } from '../../ui/states.tsx';
import type { Place } from '../place.ts';
import { MarkdownText } from '../readme.tsx';
import { CardOfGated } from './card-of-gated.tsx';
import { type Answers, GateFields } from './gate-fields.tsx';
import { type GateForm, gateFormOf } from './gate-form.ts';

/** Says why the hub keeps the files of a gated repository from the user, and lets the user ask for access. */
export function AskAccess({ place, refusal }: { readonly place: Place; readonly refusal: unknown }) {
  const { type, repo } = place;
  const hub = useHub();
  const query = useQuery({
    queryKey: ['repo', type, repo],
    queryFn: ({ signal }) => getRepo({ ...hub, type, repo, signal }),
  });
  const { message } = faultOf(refusal);
  // The refusal says where the user's request stands; it says nothing where no request would help.
  const request = refusal instanceof HubApiError ? refusal.fields.accessRequest : undefined;
  return (
    <Stack>
      <Paper withBorder p="md" component="section" aria-label="Access to the files">
        <Loaded query={query}>
          {(info) => {
            const form = gateFormOf('cardData' in info ? info.cardData : undefined);
            if (request === 'pending') return <Waiting place={place} />;
            if (request === 'none') return <Form form={form} place={place} />;
            return <Text className="breaks">{message}</Text>;
          }}
        </Loaded>
      </Paper>
      <CardOfGated place={place} />
    </Stack>
  );
}

/** The queries about a repository that access to its files changes. */
const changesOf = ({ type, repo }: Place) => ['tree', 'file', 'history'].map((key) => [key, type, repo]);

function Waiting({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  return (
    <Stack align="flex-start">
      <Title order={2}>Your request is waiting</Title>
      <Text size="sm">The authors of {repo} have not decided yet.</Text>
      <AskedButton
        label="Withdraw the request"
        question={`Withdraw your request for ${repo}?`}
        action="Withdraw"
        size="sm"
        does={() => cancelAccessRequest({ ...hub, type, repo })}
        changes={changesOf(place)}
      >
        What you entered is deleted. You can ask again.
      </AskedButton>
    </Stack>
  );
}

function Form({ form, place }: { readonly form: GateForm; readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const [answers, setAnswers] = useState<Answers>({});
  useUnsaved(Object.values(answers).some((answer) => answer !== '' && answer !== false));
  const { act, busy, error, reset } = useAct(...changesOf(place));
  const { heading = 'Ask for access to the files', button = 'Ask for access', prompt, description, fields } = form;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(() => askAccessOfType({ ...hub, type, repo, fields: answers }));
      }}
    >
      <Stack maw={680}>
        <Title order={2} className="breaks">
          {heading}
        </Title>
        <Text size="sm">The authors of {repo} see your name, your e-mail address and what you enter here.</Text>
        {description !== undefined && <Text className="breaks">{description}</Text>}
        {prompt !== undefined && <MarkdownText text={prompt} place={place} />}
        <GateFields
          fields={fields}
          answers={answers}
          answer={(name, value) => {
            setAnswers((before) => ({ ...before, [name]: value }));
            reset();
          }}
        />
        <Refused error={error} mt="0" />
        <div>
          <Button type="submit" loading={busy}>
            {button}
          </Button>
        </div>
      </Stack>
    </form>
  );
}
