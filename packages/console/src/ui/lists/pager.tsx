import { Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';

/** Moves between the pages of a list, which are counted from 0; another page begins at its top, with the focus. */
export function Pager(props: {
  readonly page: number;
  readonly pages: number;
  readonly shown: string;
  readonly go: (page: number) => void;
}) {
  const { page, pages, shown, go } = props;
  const nav = useRef<HTMLDivElement>(null);
  const turn = (to: number) => {
    go(to);
    const list = nav.current?.parentElement;
    if (!list) return;
    list.tabIndex = -1;
    list.focus({ preventScroll: true });
    list.scrollIntoView({ block: 'start' });
  };
  if (pages <= 1 && page === 0) return null;
  return (
    <Group
      component="nav"
      ref={nav}
      aria-label="Pages"
      className="bar bar-below"
      px="md"
      py={8}
      justify="space-between"
    >
      <Button size="compact-sm" variant="default" disabled={page === 0} onClick={() => turn(page - 1)}>
        Newer
      </Button>
      <Text size="sm" c="dimmed">
        {shown}
      </Text>
      <Button size="compact-sm" variant="default" disabled={page + 1 >= pages} onClick={() => turn(page + 1)}>
        Older
      </Button>
    </Group>
  );
}
