import { Paper, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Refused } from '../../ui/refused.tsx';

/** A part of the settings of a repository, with the hub's refusal of its last change. */
export function Part(props: { readonly title: string; readonly error: unknown; readonly children: ReactNode }) {
  const { title, error, children } = props;
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={2}>{title}</Title>
        {children}
        <Refused error={error} mt="0" />
      </Stack>
    </Paper>
  );
}
