import { Box, Group, Paper, Text, Textarea, type TextareaProps, VisuallyHidden } from '@mantine/core';
import type { FileRepo } from '@moonbase/client/files';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Suggestion, useSuggestions } from './use-suggestions.ts';
import { type Word, withWord, wordBefore } from './word.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * A field for a text of several lines that completes the names of users after `@`, and the numbers of the discussions of a
 * repository after `#`: arrow keys choose, Enter or Tab inserts, Escape closes the suggestions.
 */
export function CompletedTextarea(props: {
  readonly field: Omit<TextareaProps, 'value' | 'onChange' | 'onKeyDown'>;
  readonly value: string;
  readonly change: (text: string) => void;
  readonly repo: FileRepo | undefined;
  readonly onKeyDown?: TextareaProps['onKeyDown'];
}) {
  const { field, value, change, repo, onKeyDown } = props;
  const listId = useId();
  const textarea = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState<number>();
  /** Where the word begins whose suggestions were closed. */
  const [closed, setClosed] = useState<number>();
  const [at, setAt] = useState(0);
  const word = openWord(cursor === undefined ? undefined : wordBefore(value, cursor), closed);
  const found = useSuggestions(word, repo);
  const isWritten = word !== undefined && found.some(({ insert }) => insert === word.sign + word.text);
  const suggestions = isWritten ? [] : found;
  const active = suggestions[Math.min(at, suggestions.length - 1)];
  const wanted = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    textarea.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  });
  const insert = (chosen: Suggestion) => {
    if (!word) return;
    const [text, next] = withWord(value, word, chosen.insert);
    wanted.current = next;
    setCursor(next);
    setAt(0);
    change(text);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!active || !word || !isPlain || event.nativeEvent.isComposing) return onKeyDown?.(event);
    const step = STEPS[event.key];
    if (step !== undefined)
      setAt((Math.min(at, suggestions.length - 1) + step + suggestions.length) % suggestions.length);
    else if (event.key === 'Enter' || event.key === 'Tab') insert(active);
    else if (event.key === 'Escape') setClosed(word.at);
    else return onKeyDown?.(event);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Box pos="relative">
      <Textarea
        {...field}
        ref={textarea}
        value={value}
        onChange={({ currentTarget }) => {
          const { value: text, selectionStart } = currentTarget;
          setCursor(selectionStart);
          setAt(0);
          if (!wordBefore(text, selectionStart)) setClosed(undefined);
          change(text);
        }}
        onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
        onBlur={() => setCursor(undefined)}
        onKeyDown={onKey}
        aria-autocomplete="list"
        aria-controls={active && listId}
        aria-activedescendant={active && `${listId}-${suggestions.indexOf(active)}`}
      />
      <VisuallyHidden role="status">
        {active && `${suggestions.length} suggestions: arrow keys choose, Enter inserts`}
      </VisuallyHidden>
      {active && (
        <Paper withBorder shadow="md" pos="absolute" left={0} right={0} className="completion">
          <Box role="listbox" id={listId} aria-label="Suggestions" className="suggestions">
            {suggestions.map((each, index) => (
              <Group
                key={each.insert}
                role="option"
                id={`${listId}-${index}`}
                aria-selected={each === active}
                className="suggestion"
                px="sm"
                py={6}
                gap="sm"
                wrap="nowrap"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => insert(each)}
              >
                <Text size="sm" fw={600} className="no-wrap">
                  {each.insert}
                </Text>
                <Text size="sm" truncate>
                  {each.about}
                </Text>
              </Group>
            ))}
          </Box>
        </Paper>
      )}
    </Box>
  );
}

const openWord = (word: Word | undefined, closed: number | undefined): Word | undefined =>
  word?.at === closed ? undefined : word;
