import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'wouter';
import { Finding } from '../finding/finding.tsx';
import { useLiveInbox } from '../inbox/live.ts';
import { Moon } from '../ui/icons.tsx';
import { To } from '../ui/link.tsx';
import { Navigation } from './navigation.tsx';
import { Notice } from './notice.tsx';
import { Person } from './person.tsx';

const DESKTOP = 'sm';

/** The frame of every page: the navigation and the account menu. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [path] = useLocation();
  const connection = useLiveInbox();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of the phone closes when another page opens
  useEffect(() => close(), [path]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: DESKTOP, collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom={DESKTOP} size="sm" aria-label="Menu" />
          <To href="/inbox" underline="never" c="inherit" aria-label="Moonbase: to the inbox">
            <Group gap={10} wrap="nowrap">
              <Moon />
              <Text fw={700} fz="lg">
                Moonbase
              </Text>
            </Group>
          </To>
          <Finding />
          <Person />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Notice connection={connection} />
        {children}
      </AppShell.Main>
    </AppShell>
  );
}
