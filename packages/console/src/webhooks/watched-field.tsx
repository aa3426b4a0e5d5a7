import { Autocomplete, Group, Input, Pill } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Draft } from './draft.ts';
import { type Item, labelOf, useSuggestions } from './suggestions.ts';

/** Selects what a webhook watches: by search, or by full name. */
export function WatchedField(props: {
  readonly watched: Draft['watched'];
  readonly change: (watched: Draft['watched']) => void;
  readonly fault: string | undefined;
}) {
  const { watched, change, fault } = props;
  const [text, setText] = useState('');
  const [missing, setMissing] = useState<ReadonlySet<string>>(new Set());
  const [searched] = useDebouncedValue(text, 200);
  const isThere = (item: Item) => watched.some(({ type, name }) => type === item.type && name === item.name);
  const suggestions = useSuggestions(text, searched).filter((item) => !isThere(item));

  function add(label: string) {
    const item = suggestions.find((each) => labelOf(each) === label);
    if (item) {
      change([...watched, { type: item.type, name: item.name }]);
      if (item.missing) setMissing((before) => new Set([...before, labelOf({ type: item.type, name: item.name })]));
    }
    setText('');
  }

  return (
    <Input.Wrapper
      label="Watches"
      description="Users and organizations with all their repositories, or single repositories."
      required
      error={fault}
      labelElement="div"
    >
      {watched.length > 0 && (
        <Group gap={6} my={8} component="ul" className="plain-list" aria-label="Watched">
          {watched.map((item) => (
            <Pill
              key={labelOf(item)}
              component="li"
              size="md"
              withRemoveButton
              removeButtonProps={{ 'aria-label': `Remove ${labelOf(item)}`, 'aria-hidden': false, tabIndex: 0 }}
              onRemove={() => change(watched.filter((each) => each !== item))}
            >
              {labelOf({ ...item, missing: missing.has(labelOf(item)) })}
            </Pill>
          ))}
        </Group>
      )}
      <Autocomplete
        mt={6}
        aria-label="Add something to watch"
        aria-invalid={fault !== undefined}
        placeholder="Search: acme, acme/bert"
        autoComplete="off"
        limit={20}
        selectFirstOptionOnChange
        filter={({ options }) => options}
        data={suggestions.map(labelOf)}
        value={text}
        onChange={setText}
        onOptionSubmit={(label) => {
          add(label);
          // The field sets its text to the chosen item afterwards, and must then be cleared.
          queueMicrotask(() => setText(''));
        }}
      />
    </Input.Wrapper>
  );
}
