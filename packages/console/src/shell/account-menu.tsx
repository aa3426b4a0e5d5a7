import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe, useSession } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { OrganizationIcon, SignOutIcon, SunMoonIcon } from '../ui/icons.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { Face } from './face.tsx';

/** The menu of the signed-in user, with their organizations: it opens once it is there. */
export function AccountMenu() {
  // A menu gives the focus back to what had it before it opened.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  const { data: me } = useMe();
  const token = me?.auth.accessToken;
  const { signOut } = useSession();
  const [, navigate] = useLocation();
  const { act, error } = useAct();
  const leave = () =>
    act(async () => {
      await signOut();
      navigate('/login');
    });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = { auto: 'dark', dark: 'light', light: 'auto' } as const;
  const names = { auto: 'System', dark: 'Dark', light: 'Light' };
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={260} withinPortal>
      <Menu.Target>
        <UnstyledButton p={4} autoFocus>
          <Face />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {me?.fullname} {token && `(${token.displayName}, ${token.role})`}
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
          Theme: {names[colorScheme]}
        </Menu.Item>
        <Menu.Item leftSection={<SignOutIcon size={16} />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
      <Outcome of={error} error={error} text={undefined} good={false} />
    </Menu>
  );
}
