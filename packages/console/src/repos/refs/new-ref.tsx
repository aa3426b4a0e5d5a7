import { Autocomplete, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { createBranch, createTag } from '@moonbase/client/repositories';
import { useState } from 'react';
import { useHub } from '../../session/session.tsx';
import { useAct } from '../../ui/act.ts';
import { NAME_INPUT } from '../../ui/forms/name-input.ts';
import { useUnsaved } from '../../ui/forms/unsaved.ts';
import { Refused } from '../../ui/refused.tsx';
import type { Place } from '../place.ts';

const MAX_NAME = 255;
const EMPTY = { name: '', from: 'main', message: '' };

/** A button with the form that creates a branch or a tag at a branch, a tag or a commit. */
export function NewRef(props: {
  readonly place: Place;
  readonly kind: 'branch' | 'tag';
  /** The branches and tags to choose from. */
  readonly names: readonly string[];
}) {
  const { place, kind, names } = props;
  const [opened, setOpened] = useState(false);
  // The dialog may be closed by mistake: it opens with what was entered.
  const [draft, setDraft] = useState(EMPTY);
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
        <Form
          {...{ place, kind, names, draft }}
          change={(changed) => setDraft({ ...draft, ...changed })}
          close={() => setOpened(false)}
          after={() => {
            setOpened(false);
            setDraft(EMPTY);
          }}
        />
      </Modal>
    </>
  );
}

function Form(
  props: Parameters<typeof NewRef>[0] & {
    readonly draft: typeof EMPTY;
    readonly change: (draft: Partial<typeof EMPTY>) => void;
    readonly close: () => void;
    /** Called once the branch or the tag exists. */
    readonly after: () => void;
  },
) {
  const { kind, names, draft, change, close, after } = props;
  const { name, from, message } = draft;
  const { type, repo } = props.place;
  const hub = useHub();
  useUnsaved(message !== '');
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
          after,
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
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Autocomplete
          label="From"
          description="A branch, a tag or the id of a commit"
          {...NAME_INPUT}
          maxLength={MAX_NAME}
          limit={20}
          data={[...new Set(names)]}
          value={from}
          onChange={(start) => change({ from: start })}
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
            onChange={(event) => change({ message: event.currentTarget.value })}
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
