import { Button, Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { getRepoSettings } from '@moonbase/client/repositories';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { oneOf } from '../../ui/chosen.ts';
import { Loaded } from '../../ui/states.tsx';
import type { Place } from '../place.ts';
import { Part } from './part.tsx';
import { useUpdate } from './update.ts';

const CHOICES = ['open', 'auto', 'manual'] as const;
const WORDS = {
  open: ['Open', 'Everybody who can read the repository can read its files.'],
  auto: ['Gated, without approval', 'Users ask for access, and get it at once.'],
  manual: ['Gated, with approval', 'Users ask for access, and wait until you accept their request.'],
} as const;
const MODES = ['real-time', 'bulk'] as const;
const MODE_WORDS = { 'real-time': 'For each request', bulk: 'Once a day' } as const;

type Stored = Awaited<ReturnType<typeof getRepoSettings>>;

/** Whether users have to ask for access to the files of a repository, and who hears of their requests. */
export function Gating({ place }: { readonly place: Place }) {
  const { type, repo } = place;
  const hub = useHub();
  const query = useQuery({
    queryKey: ['repo', type, repo, 'settings'],
    queryFn: ({ signal }) => getRepoSettings({ ...hub, type, repo, signal }),
  });
  const { update, busy, error } = useUpdate(place);
  return (
    <Part title="Access to the files" error={error}>
      <Loaded query={query}>
        {(stored) => <Form key={JSON.stringify(stored)} stored={stored} busy={busy} save={update} />}
      </Loaded>
    </Part>
  );
}

function Form(props: {
  readonly stored: Stored;
  readonly busy: boolean;
  readonly save: ReturnType<typeof useUpdate>['update'];
}) {
  const { stored, busy, save } = props;
  const [initial] = useState({
    choice: stored.gated || ('open' as const),
    members: stored.orgMembersGated ?? false,
    email: stored.gatedNotificationsEmail ?? '',
    mode: stored.gatedNotificationsMode ?? 'real-time',
  });
  const [draft, setDraft] = useState<typeof initial>(initial);
  const change = (changed: Partial<typeof initial>) => setDraft({ ...draft, ...changed });
  const { choice, members, email, mode } = draft;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save({
          gated: choice === 'open' ? false : choice,
          ...{ orgMembersGated: members, gatedNotificationsEmail: email.trim(), gatedNotificationsMode: mode },
        });
      }}
    >
      <Radio.Group
        aria-label="Access to the files"
        value={choice}
        onChange={(chosen) => change({ choice: oneOf(CHOICES, chosen) ?? choice })}
      >
        <Stack gap={6} mb="sm">
          {CHOICES.map((each) => (
            <Radio key={each} value={each} label={WORDS[each][0]} description={WORDS[each][1]} />
          ))}
        </Stack>
      </Radio.Group>
      {choice !== 'open' && (
        <Stack gap="sm" mb="sm" maw={480}>
          <Checkbox
            label="Members who may only read ask as well"
            description="Applies to members of an organization. Those who may write never need a request."
            checked={members}
            onChange={(event) => change({ members: event.currentTarget.checked })}
          />
          <TextInput
            label="Email about requests to"
            description="Leave it empty to email the owner, or the admins of the organization."
            type="email"
            maxLength={254}
            value={email}
            onChange={(event) => change({ email: event.currentTarget.value })}
          />
          <Radio.Group
            label="Emails about requests"
            value={mode}
            onChange={(chosen) => change({ mode: oneOf(MODES, chosen) ?? mode })}
          >
            <Stack gap={6} mt={4}>
              {MODES.map((each) => (
                <Radio key={each} value={each} label={MODE_WORDS[each]} />
              ))}
            </Stack>
          </Radio.Group>
        </Stack>
      )}
      <Button
        type="submit"
        variant="default"
        loading={busy}
        disabled={JSON.stringify(draft) === JSON.stringify(initial)}
      >
        Save
      </Button>
    </form>
  );
}
