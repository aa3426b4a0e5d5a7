import { Textarea } from '@mantine/core';

/** The field for the content of a text file. */
export function TextArea(props: { readonly value: string; readonly onChange: (text: string) => void }) {
  return (
    <Textarea
      label="Content"
      autosize
      minRows={10}
      maxRows={30}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
