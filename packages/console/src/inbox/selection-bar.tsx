import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core';
import type { Act } from './changes.ts';

/** The ids of threads, or all threads that match the filters. */
export type Selection = ReadonlySet<string> | 'all';
export const NOTHING: Selection = new Set();

/** Selects the threads on the page, or all that match, and acts on them. */
export function SelectionBar(props: {
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly ids: readonly string[];
  readonly matching: number;
  /** The number of threads that the last action changed. */
  readonly changed: number | undefined;
  readonly act: (act: Act) => void;
}) {
  const { selection, select, ids, matching, changed, act } = props;
  const count = selection === 'all' ? matching : selection.size;
  const whole = selection === 'all' || (ids.length > 0 && ids.every((id) => selection.has(id)));
  return (
    <Group px="md" py={8} mih={48} gap="sm" className="bar">
      <Checkbox
        aria-label="Select all on this page"
        checked={whole}
        indeterminate={count > 0 && !whole}
        disabled={ids.length === 0}
        onChange={() => select(whole ? NOTHING : new Set(ids))}
      />
      <Text size="sm" c="dimmed" role="status">
        {count > 0 ? `${count} selected` : changed === undefined ? `${matching} in all` : `${changed} changed`}
      </Text>
      {whole && selection !== 'all' && matching > ids.length && (
        <Anchor component="button" type="button" size="sm" onClick={() => select('all')}>
          Select all {matching} that match
        </Anchor>
      )}
      {count > 0 && (
        <Group gap="xs" ml="auto">
          <Button size="compact-sm" variant="default" onClick={() => act('read')}>
            Mark as read
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => act('unread')}>
            Mark as unread
          </Button>
          <Button size="compact-sm" onClick={() => act('done')}>
            Done
          </Button>
        </Group>
      )}
    </Group>
  );
}
