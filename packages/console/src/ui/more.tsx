import { Button, Center } from '@mantine/core';

/** A button that loads more of a list, if there may be more. */
export function More({ more, busy }: { readonly more: (() => void) | undefined; readonly busy: boolean }) {
  if (!more) return null;
  return (
    <Center p="sm">
      <Button variant="default" loading={busy} onClick={more}>
        Show more
      </Button>
    </Center>
  );
}
