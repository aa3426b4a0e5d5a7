import type { Database, Executor } from '../database/transaction.ts';
import { bound, createSecretBox, isBound, opens, type SealedAt, type SecretKeys } from '../secrets.ts';

/** Every column that holds what was sealed, but for `settings`. */
const SEALED = [
  { table: 'webhooks', columns: ['secret', 'old_secret', 'job_secrets'] },
  { table: 'jobs', columns: ['secrets'] },
  { table: 'scheduled_jobs', columns: ['secrets'] },
] as const;

type Row = { id: string } & Record<string, string | null>;

/** Rows of a transaction: few enough that nobody waits for them. */
const STEP = 200;

/** The progress of a pass over the sealed values. */
export type OnProgress = (progress: { table: string; rows: number }) => void;

/**
 * Seals with the new key what is sealed with the old one. Returns how many values it sealed; what is under the new key
 * already is left alone, so that it may be run again at any time. Throws where neither key opens a value.
 */
export function reseal(database: Database, keys: SecretKeys, onProgress: OnProgress): Promise<number> {
  const box = createSecretBox(keys.key, keys.old);
  const key = createSecretBox(keys.key);
  const resealed = (value: string, at: SealedAt) => {
    if (opens(key, value, at)) return undefined;
    if (!opens(box, value, at))
      throw new Error(`Neither key opens ${at.column} of ${at.table} ${at.id}. Set it anew, or delete what has it.`);
    return key.seal(box.open(value, at), at);
  };
  return rewrite(database, resealed, onProgress);
}

/** Binds every value to its place that an older version sealed. `onUnreadable` hears of those that no key opens. */
export function bindValues(database: Database, keys: SecretKeys, onUnreadable: (at: SealedAt) => void) {
  const rebound = (value: string, at: SealedAt) => {
    const now = bound(keys, value, at);
    if (now === undefined && !isBound(value)) onUnreadable(at);
    return now;
  };
  return rewrite(database, rebound, () => {});
}

/**
 * Replaces values, some rows a transaction, beside whoever works on them: a value that changed meanwhile stays as it is.
 * Returns how many it replaced.
 */
async function rewrite(
  database: Database,
  replacement: (value: string, at: SealedAt) => string | undefined,
  onProgress: OnProgress,
): Promise<number> {
  let replaced = 0;
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
            const by = value ? replacement(value, { table, column, id: row.id }) : undefined;
            if (value && by !== undefined) done += await replace(tx, { table, column, id: row.id, value, by });
          }
        return { done, rows: page.length, last: page.length < STEP ? undefined : page.at(-1)?.id };
      });
      replaced += step.done;
      rows += step.rows;
      after = step.last;
      onProgress({ table, rows });
    }
  }
  return replaced;
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
