import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Moon } from '../ui/icons.tsx';
import { To } from '../ui/link.tsx';
import { useTitle } from '../ui/title.ts';

/** The frame of the pages for visitors who are not signed in. */
export function Welcome({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420} radius="lg">
        <Stack>
          <Group gap="sm" wrap="nowrap">
            <Moon size={36} />
            <Title order={1} className="breaks">
              {title}
            </Title>
          </Group>
          {children}
          <Text size="sm" c="dimmed">
            The API reference is at{' '}
            <To href="/docs" underline="always">
              /docs
            </To>
            .
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}
