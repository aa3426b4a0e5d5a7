import { Checkbox } from '@mantine/core';

/** Chooses whether a change becomes a pull request, which is required if the user may not write. */
export function SuggestBox(props: {
  readonly mayWrite: boolean;
  readonly suggests: boolean;
  readonly onChange: (suggests: boolean) => void;
}) {
  const { mayWrite, suggests, onChange } = props;
  return (
    <Checkbox
      label="Open a pull request"
      description={mayWrite ? undefined : 'You may not write to this repository: its writers decide.'}
      checked={suggests || !mayWrite}
      disabled={!mayWrite}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
