import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';

/** A table with one row while something is missing for repositories of an earlier release, added in the order of their ids. */
type Fill = 'name_fills' | 'signature_fills';

/** Returns the last repository for which it was added, and locks the row; undefined if nothing is missing. */
export const lockFill = async (tx: Executor, fill: Fill): Promise<string | undefined> =>
  (await tx.selectFrom(fill).select('reached').modifyEnd(forUpdateOf(tx, fill)).executeTakeFirst())?.reached;

/** Stores the last repository for which it was added; undefined: nothing is missing any more. */
export async function moveFill(tx: Executor, fill: Fill, reached: string | undefined): Promise<void> {
  await (reached === undefined ? tx.deleteFrom(fill).execute() : tx.updateTable(fill).set({ reached }).execute());
}
