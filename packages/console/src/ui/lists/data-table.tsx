import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A table with a heading over each column; a wide one scrolls by itself. Its rows are the children. */
export function DataTable(props: {
  readonly label: string;
  readonly columns: readonly string[];
  readonly busy?: boolean;
  /** What follows the rows, for example a button that loads more. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}) {
  const { label, columns, busy = false, below, children } = props;
  return (
    <Paper withBorder aria-busy={busy}>
      <div className="wide">
        <Table aria-label={label} highlightOnHover verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column}>{column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
        </Table>
      </div>
      {below}
    </Paper>
  );
}
