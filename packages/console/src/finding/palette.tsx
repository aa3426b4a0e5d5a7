import { Box, Group, Kbd, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useBeginsClosed } from '../ui/asking/begins-closed.ts';
import { mayLeave } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';
import { useCommands } from './commands.ts';
import { type Entry, matching } from './entries.ts';
import { useFound } from './found.ts';

/** The number of pages and actions among the results of a search. */
const MAX_COMMANDS = 5;

/** A dialog that suggests repositories, people, pages and actions while the user types, and opens the chosen one. */
export function Palette(props: {
  readonly opened: boolean;
  readonly close: () => void;
  readonly showKeys: () => void;
}) {
  const { opened, close, showKeys } = props;
  return (
    <Modal
      opened={useBeginsClosed(opened)}
      onClose={close}
      title="Search and commands"
      size="lg"
      yOffset="10vh"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Search close={close} showKeys={showKeys} />
    </Modal>
  );
}

function Search({ close, showKeys }: { readonly close: () => void; readonly showKeys: () => void }) {
  const listId = useId();
  const [, go] = useLocation();
  const [entered, setEntered] = useState('');
  const text = entered.trim();
  const commands = matching(useCommands(showKeys), text);
  const { found, error } = useFound(text);
  const entries = text === '' ? commands : [...commands.slice(0, MAX_COMMANDS), ...(found ?? []), allModels(text)];
  const [at, setAt] = useState(0);
  const active = entries[Math.min(at, entries.length - 1)];
  const choose = ({ open }: Entry) => {
    close();
    if (typeof open === 'string') {
      if (mayLeave()) go(open);
    } else open();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.nativeEvent.isComposing) return;
    if (step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length);
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      choose(active);
    }
  };
  return (
    <>
      <TextInput
        role="combobox"
        aria-label="Search"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={active && `${listId}-${entries.indexOf(active)}`}
        placeholder="Name of a repository, person, page or action"
        autoComplete="off"
        spellCheck={false}
        maxLength={250}
        data-autofocus
        value={entered}
        onChange={(event) => {
          setEntered(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <VisuallyHidden role="status">
        {found === undefined ? 'Searching' : `${entries.length} suggestions`}
      </VisuallyHidden>
      <Refused error={error} />
      <Box role="listbox" id={listId} aria-label="Suggestions" className="suggestions" mt="sm">
        {entries.map((entry, index) => (
          <Suggestion
            key={entry.id}
            id={`${listId}-${index}`}
            entry={entry}
            active={entry === active}
            choose={() => choose(entry)}
          />
        ))}
      </Box>
    </>
  );
}

const allModels = (text: string): Entry => ({
  ...{ id: 'all', label: `Search all models for "${text}"`, kind: 'search' },
  open: `/models?search=${encodeURIComponent(text)}`,
});

function Suggestion(props: {
  readonly id: string;
  readonly entry: Entry;
  readonly active: boolean;
  readonly choose: () => void;
}) {
  const { id, entry, active, choose } = props;
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) line.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <Group
      ref={line}
      role="option"
      id={id}
      aria-selected={active}
      className="suggestion"
      px="sm"
      py={6}
      gap="sm"
      wrap="nowrap"
      justify="space-between"
      onMouseDown={(event) => event.preventDefault()}
      onClick={choose}
    >
      <Text size="sm" className="breaks">
        {entry.label}
      </Text>
      <Group gap={4} wrap="nowrap">
        {entry.keys?.split(' ').map((key) => (
          <Kbd key={key} size="xs" aria-hidden="true">
            {key}
          </Kbd>
        ))}
        <Text size="xs" c="dimmed" className="no-wrap">
          {entry.kind}
        </Text>
      </Group>
    </Group>
  );
}
