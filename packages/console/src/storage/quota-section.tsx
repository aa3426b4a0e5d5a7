import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** The frame of one quota; its name tells it from the section of the things themselves. */
export function QuotaSection(props: { readonly title: string; readonly about?: string; readonly children: ReactNode }) {
  const { title, about, children } = props;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Quota: ${title}`}>
      <Title order={2} mb="xs">
        {title}
      </Title>
      {about !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {about}
        </Text>
      )}
      {children}
    </Paper>
  );
}
