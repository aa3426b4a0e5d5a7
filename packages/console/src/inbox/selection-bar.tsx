import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core';
import type { Act } from './changes.ts';

/** The ids of threads, or all threads that match the filters. */
export type Selection = ReadonlySet<string> | 'all';
export const NOTHING: Selection = new Set();

/** What can be done to notifications of the inbox, and to those that are done, which return one page at a time. */
export const ACTING: readonly Act[] = ['read', 'unread', 'done'];
export const RESTORING: readonly Act[] = ['restore'];

const LABELS = { read: 'Mark as read', unread: 'Mark as unread', done: 'Done', restore: 'Move to inbox' } as const;

/** Selects the threads on the page, or all that match, and acts on them. */
export function SelectionBar(props: {
  readonly selection: Selection;
  readonly select: (selection: Selection) => void;
  readonly ids: readonly string[];
  readonly matching: number;
  /** The number of threads that the last action changed. */
  readonly changed: number | undefined;
  /** What can be done to the selection, the main act last. */
  readonly acts: readonly Act[];
  readonly act: (act: Act) => void;
}) {
  const { selection, select, ids, matching, changed, acts, act } = props;
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
      {acts !== RESTORING && whole && selection !== 'all' && matching > ids.length && (
        <Anchor component="button" type="button" size="sm" onClick={() => select('all')}>
          Select all {matching} that match
        </Anchor>
      )}
      {count > 0 && (
        <Group gap="xs" ml="auto">
          {acts.map((each) => (
            <Button
              key={each}
              size="compact-sm"
              variant={each === acts.at(-1) ? 'filled' : 'default'}
              onClick={() => act(each)}
            >
              {LABELS[each]}
            </Button>
          ))}
        </Group>
      )}
    </Group>
  );
}
