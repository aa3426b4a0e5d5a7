import { Avatar, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMe } from '../session/session.tsx';

/** The picture and the name of the signed-in user, as the content of a button. */
export function Face() {
  const { data: me } = useMe();
  return (
    <>
      <VisuallyHidden>Account</VisuallyHidden>
      <Group gap="xs" wrap="nowrap">
        <Avatar src={me?.avatarUrl ?? null} size={30} radius="xl" alt="" />
        <Text size="sm" fw={500} visibleFrom="xs">
          {me?.name}
        </Text>
      </Group>
    </>
  );
}
