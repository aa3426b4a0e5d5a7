import { Button, Group } from '@mantine/core';
import { Link } from 'wouter';

/** The end of a form that is a page: the button that sends it, and the way back without. */
export function FormEnd(props: {
  readonly submit: string;
  readonly busy: boolean;
  readonly disabled: boolean;
  readonly back: string;
}) {
  const { submit, busy, disabled, back } = props;
  return (
    <Group>
      <Button type="submit" loading={busy} disabled={disabled}>
        {submit}
      </Button>
      <Button component={Link} href={back} variant="default">
        Cancel
      </Button>
    </Group>
  );
}
