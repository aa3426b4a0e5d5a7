import type { OnProgress } from '../backup/format.ts';
import type { Executor } from '../database/transaction.ts';
import type { SealedAt } from '../secrets.ts';
import { type SealedColumns, sealedPage } from './sealed-store.ts';

/** The number of rows per step, small enough that other transactions do not wait noticeably. */
const STEP = 200;

interface Visit {
  /** Runs a step in a transaction, which may be one for all steps. */
  readonly inTransaction: <T>(step: (tx: Executor) => Promise<T>) => Promise<T>;
  /** Returns what a value counts for. */
  readonly onValue: (
    tx: Executor,
    value: string,
    at: SealedAt & Pick<SealedColumns, 'table'>,
  ) => number | Promise<number>;
  readonly progress: OnProgress;
}

/** Visits all sealed values in steps; returns the sum of what they count for. */
export async function countSealed(
  sealed: readonly SealedColumns[],
  { inTransaction, onValue, progress }: Visit,
): Promise<number> {
  let count = 0;
  for (const { table, columns } of sealed) {
    let rows = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const step = await inTransaction(async (tx) => {
        const page = await sealedPage(tx, { table, columns }, from, STEP);
        let counted = 0;
        for (const { id, values } of page)
          for (const column of columns) {
            const value = values[column];
            if (value) counted += await onValue(tx, value, { table, column, id });
          }
        return { counted, rows: page.length, last: page.length < STEP ? undefined : page.at(-1)?.id };
      });
      count += step.counted;
      rows += step.rows;
      after = step.last;
      await progress({ table, rows });
    }
  }
  return count;
}
