import { sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Executor } from '../database/transaction.ts';

/** The columns of a table that contain sealed values; the table has an `id`. */
export interface SealedColumns {
  readonly table: keyof Tables;
  readonly columns: readonly string[];
}

interface SealedRow {
  readonly id: string;
  readonly values: Readonly<Record<string, string | null>>;
}

/** Returns a page of the rows that contain sealed values, ordered by id. */
export async function sealedPage(
  tx: Executor,
  { table, columns }: SealedColumns,
  after: string,
  limit: number,
): Promise<SealedRow[]> {
  const refs = columns.map((column) => sql.ref(column));
  const { rows } = await sql<{ id: string } & Record<string, string | null>>`
    select id, ${sql.join(refs)} from ${sql.table(table)}
    where id > ${after} and (${sql.join(
      refs.map((ref) => sql`${ref} is not null`),
      sql` or `,
    )}) order by id limit ${limit}`.execute(tx);
  return rows.map(({ id, ...values }) => ({ id, values }));
}

/** Replaces a sealed value unless it has changed concurrently. Returns the number of replaced rows. */
export async function replaceSealed(
  tx: Executor,
  {
    table,
    column,
    id,
    value,
    by,
  }: {
    readonly table: keyof Tables;
    readonly column: string;
    readonly id: string;
    readonly value: string;
    readonly by: string;
  },
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${by}
    where id = ${id} and ${sql.ref(column)} = ${value}`.execute(tx);
  return Number(numAffectedRows);
}
