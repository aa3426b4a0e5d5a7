import { Avatar, Group, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from 'wouter';
import { useMe, useSession } from '../session/session.tsx';
import { OrganizationIcon, SignOutIcon, SunMoonIcon } from '../ui/icons.tsx';

/** Who is signed in, and in which organizations. */
export function Person() {
  const { data: me } = useMe();
  const { signOut } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'dark', dark: 'light', light: 'auto' } as const;
  const names = { auto: 'as the system', dark: 'dark', light: 'light' };
  return (
    <Menu position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton ml="auto" p={4}>
          <VisuallyHidden>Account</VisuallyHidden>
          <Group gap="xs" wrap="nowrap">
            <Avatar src={me?.avatarUrl ?? null} size={30} radius="xl" alt="" />
            <Text size="sm" fw={500} visibleFrom="xs">
              {me?.name}
            </Text>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me?.fullname} ({me?.auth.accessToken.displayName}, {me?.auth.accessToken.role})
        </Menu.Label>
        {me?.orgs.map(({ name, roleInOrg }) => (
          <Menu.Item
            key={name}
            component={Link}
            href={`/organizations/${name}`}
            leftSection={<OrganizationIcon size={16} />}
            rightSection={
              <Text size="xs" c="dimmed">
                {roleInOrg}
              </Text>
            }
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<SunMoonIcon size={16} />}
          closeMenuOnClick={false}
          onClick={() => setColorScheme(next[colorScheme])}
        >
          Colours: {names[colorScheme]}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon size={16} />} onClick={() => signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
