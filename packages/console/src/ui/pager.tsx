import { Button, Group, Text } from '@mantine/core';

/** Moves between the pages of a list, which are counted from 0. */
export function Pager(props: {
  readonly page: number;
  readonly pages: number;
  readonly shown: string;
  readonly go: (page: number) => void;
}) {
  const { page, pages, shown, go } = props;
  if (pages <= 1 && page === 0) return null;
  return (
    <Group component="nav" aria-label="Pages" className="bar bar-below" px="md" py={8} justify="space-between">
      <Button size="compact-sm" variant="default" disabled={page === 0} onClick={() => go(page - 1)}>
        Newer
      </Button>
      <Text size="sm" c="dimmed">
        {shown}
      </Text>
      <Button size="compact-sm" variant="default" disabled={page + 1 >= pages} onClick={() => go(page + 1)}>
        Older
      </Button>
    </Group>
  );
}
