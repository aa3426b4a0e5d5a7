import { Badge, Text } from '@mantine/core';
import { Time } from '../time.tsx';

/** The end of a row of a list: who sees the thing, unless everybody does, and when it changed. */
export function RowEnd({ visibility, updatedAt }: { readonly visibility: string; readonly updatedAt: string }) {
  return (
    <>
      {visibility !== 'public' && <Badge color="gray">{visibility}</Badge>}
      <Text size="xs" c="dimmed" miw={84} ta="right">
        <Time at={updatedAt} />
      </Text>
    </>
  );
}
