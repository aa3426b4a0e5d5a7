import { Box, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useUnread } from '../inbox/counts.ts';
import { useTitle } from './title.ts';

/** A page: its heading, what can be done there, and the rest below. */
export function Page(props: {
  readonly title: string;
  /** Of the tab, where it is another one. */
  readonly tab?: string | undefined;
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, tab = title, above, actions, children } = props;
  useTitle(tab, useUnread());
  return (
    <Box maw={1080} mx="auto">
      {above}
      <Group justify="space-between" align="center" mb="md" gap="sm" mih={36}>
        <Title order={1} className="breaks">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
