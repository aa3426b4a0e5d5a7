import { Autocomplete, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { createBranch, createTag } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import { Refused } from '../../ui/refused.tsx';
import type { Place } from '../place.ts';

const MAX_NAME = 255;

/** A button with the form that creates a branch or a tag at a branch, a tag or a commit. */
export function NewRef(props: {
  readonly place: Place;
  readonly kind: 'branch' | 'tag';
  /** The branches and tags to choose from. */
  readonly names: readonly string[];
}) {
  const { place, kind, names } = props;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant={kind === 'branch' ? 'filled' : 'default'} onClick={() => setOpened(true)}>
        New {kind}
      </Button>
      <Modal
        opened={opened}
        onClose={() => setOpened(false)}
        title={`New ${kind}`}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Form place={place} kind={kind} names={names} close={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Form(props: Parameters<typeof NewRef>[0] & { readonly close: () => void }) {
  const { kind, names, close } = props;
  const { type, repo } = props.place;
  const hub = useHub();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('main');
  const [message, setMessage] = useState('');
  const { act, busy, error } = useAct(['refs', type, repo]);
  const chosen = name.trim();
  const start = from.trim();
  const one = { ...hub, type, repo };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        act(
          () =>
            kind === 'branch'
              ? createBranch({ ...one, branch: chosen, startingPoint: start })
              : createTag({ ...one, tag: chosen, revision: start, message: message.trim() || undefined }),
          close,
        );
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          {...NAME_INPUT}
          maxLength={MAX_NAME}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Autocomplete
          label="From"
          description="A branch, a tag or the id of a commit"
          {...NAME_INPUT}
          maxLength={MAX_NAME}
          limit={20}
          data={[...new Set(names)]}
          value={from}
          onChange={setFrom}
        />
        {kind === 'tag' && (
          <Textarea
            label="Message"
            description="Optional"
            autosize
            minRows={2}
            maxRows={8}
            maxLength={65536}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        )}
        <Refused error={error} mt="0" />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={chosen === '' || start === ''}>
            Create {kind}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
