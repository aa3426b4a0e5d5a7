import { createSecretBox, opens, type SecretKeys } from '../secrets.ts';
import type { Database, Executor } from './transaction.ts';

/** Every column that holds what was sealed, but for `settings`. */
const SEALED = [
  { table: 'webhooks', columns: ['secret', 'old_secret', 'job_secrets'] },
  { table: 'jobs', columns: ['secrets'] },
  { table: 'scheduled_jobs', columns: ['secrets'] },
] as const;

type Row = { id: string } & Record<string, string | null>;

/** Rows of a transaction: few enough that nobody waits for them. */
const STEP = 200;

/**
 * Seals with the new key what is sealed with the old one, some rows a transaction, beside whoever works on them: a
 * value that changed meanwhile stays as it is. Answers how many values it sealed; what is under the new key already is
 * left alone, so that it may be run again at any time.
 */
export async function reseal(
  database: Database,
  keys: SecretKeys,
  progress: (progress: { table: string; rows: number }) => void,
): Promise<number> {
  const box = createSecretBox(keys.key, keys.old);
  const key = createSecretBox(keys.key);
  let sealed = 0;
  for (const { table, columns } of SEALED) {
    let rows = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const step = await database.transaction(async (tx) => {
        const page = await pageOf(tx, table, columns, from);
        let done = 0;
        for (const row of page)
          for (const column of columns) {
            const value = row[column];
            if (value === null || value === undefined || opens(key, value)) continue;
            if (!opens(box, value)) throw new Error(`Neither key opens ${column} of ${table} ${row.id}.`);
            done += await replace(tx, { table, column, id: row.id, value, by: key.seal(box.open(value)) });
          }
        return { done, rows: page.length, last: page.length < STEP ? undefined : page.at(-1)?.id };
      });
      sealed += step.done;
      rows += step.rows;
      after = step.last;
      progress({ table, rows });
    }
  }
  return sealed;
}

type Table = (typeof SEALED)[number]['table'];

async function pageOf(tx: Executor, table: Table, columns: readonly string[], after: string): Promise<Row[]> {
  const ref = (column: string) => tx.dynamic.ref<'secret'>(column);
  const rows = await tx
    .selectFrom(table as 'webhooks')
    .select(['id', ...columns.map(ref)])
    .where('id', '>', after)
    .where((on) => on.or(columns.map((column) => on(ref(column), 'is not', null))))
    .orderBy('id')
    .limit(STEP)
    .execute();
  return rows as unknown as Row[];
}

async function replace(
  tx: Executor,
  { table, column, id, value, by }: { table: Table; column: string; id: string; value: string; by: string },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable(table as 'webhooks')
    .set({ [column]: by })
    .where('id', '=', id)
    .where(tx.dynamic.ref<'secret'>(column), '=', value)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
