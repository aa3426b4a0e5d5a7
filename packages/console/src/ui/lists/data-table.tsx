import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** The heading of a column, or heading and width in pixels; columns without a width share the rest. */
export type Column = string | { readonly name: string; readonly width: number };

interface TableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Whether the cells of a row stand below each other on a phone, each after its `data-label`; otherwise a wide table scrolls. */
  readonly stacks?: boolean;
  readonly children: ReactNode;
}

/** The width that columns without one have at least, all together. */
const MIN_REST = 220;
const nameOf = (column: Column): string => (typeof column === 'string' ? column : column.name);
const widthOf = (column: Column): number => (typeof column === 'string' ? 0 : column.width);

/** A table with a heading over each column; a wide one scrolls by itself. Its rows are the children. */
export function PlainTable({ label, columns, stacks = false, children }: TableProps) {
  const width = columns.reduce((sum, column) => sum + widthOf(column), 0);
  return (
    <div className="wide">
      <Table
        aria-label={label}
        highlightOnHover
        highlightOnHoverColor="var(--hover)"
        verticalSpacing="sm"
        // Widths that do not depend on the content: what comes later moves nothing.
        {...(width > 0 && { layout: 'fixed', miw: { base: stacks ? 0 : width + MIN_REST, xs: width + MIN_REST } })}
        {...(stacks && { className: 'stacks' })}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={nameOf(column)} {...(widthOf(column) > 0 && { w: widthOf(column) })}>
                {nameOf(column)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}

/** A table in a frame of its own. */
export function DataTable(
  props: TableProps & {
    readonly busy?: boolean;
    /** What follows the rows, for example a button that loads more. */
    readonly below?: ReactNode;
  },
) {
  const { busy = false, below, ...table } = props;
  return (
    <Paper withBorder aria-busy={busy}>
      <PlainTable {...table} />
      {below}
    </Paper>
  );
}
