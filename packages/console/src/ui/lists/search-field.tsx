import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

const PAUSE_MS = 250;

/** A field whose text filters a list as soon as the typing pauses; '' means no filter. */
export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly change: (text: string) => void;
}) {
  const { label, placeholder, value, change } = props;
  const [text, setText] = useState(value);
  const changeLater = useDebouncedCallback(change, PAUSE_MS);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      className="grows"
      maxLength={100}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        changeLater(event.currentTarget.value.trim());
      }}
    />
  );
}
