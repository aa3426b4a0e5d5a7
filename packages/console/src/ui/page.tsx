import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useUnread } from '../inbox/counts.ts';
import { useArrival } from './keys/arrival.ts';
import { useTitle } from './title.ts';

/** A page with a heading, actions and content. */
export function Page(props: {
  readonly title: string;
  /** The title of the tab, if it differs from that of the page. */
  readonly tab?: string | undefined;
  readonly above?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { title, tab = title, above, actions, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(tab, useUnread());
  useArrival(heading);
  return (
    <Box maw={1080} mx="auto">
      {above}
      <Group justify="space-between" align="center" mb="md" gap="sm" mih={36}>
        <Title order={1} ref={heading} tabIndex={-1} className="breaks page-heading">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
