import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The headers of a request or a response; nothing where there are none. */
export function HeaderTable(props: {
  /** What has them, for screen readers. */
  readonly of: string;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly opened?: boolean;
  /** What is to be said about them. */
  readonly children?: ReactNode;
}) {
  const { of, title, headers, opened = false, children } = props;
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <details open={opened}>
      <summary>{title}</summary>
      <Table layout="fixed" fz="xs" aria-label={`Headers of ${of}`}>
        <Table.Tbody>
          {entries.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={{ base: 130, xs: 200 }} className="breaks">
                {name}
              </Table.Th>
              <Table.Td className="breaks">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {children && (
        <Text size="xs" c="dimmed" p={8}>
          {children}
        </Text>
      )}
    </details>
  );
}
