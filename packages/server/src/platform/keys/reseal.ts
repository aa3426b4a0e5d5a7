import type { Database } from '../database/transaction.ts';
import { bindToPlace, createSecretBox, isBound, opens, type SealedAt, type SecretKeys } from '../secrets.ts';
import { replaceSealed, type SealedColumns, sealedPage } from './sealed-store.ts';

/** The number of rows per transaction, small enough that other transactions do not wait noticeably. */
const STEP = 200;

/** Called with the progress of a pass over the sealed values. */
export type OnProgress = (progress: { table: string; rows: number }) => void;

/**
 * Reseals values of the old key with the new key; returns the number of resealed values. Values of the new key stay, so
 * that the function can be run repeatedly. Throws if neither key opens a value.
 */
export function reseal(
  database: Database,
  sealed: readonly SealedColumns[],
  keys: SecretKeys,
  onProgress: OnProgress,
): Promise<number> {
  const box = createSecretBox(keys.key, keys.old);
  const key = createSecretBox(keys.key);
  const resealed = (value: string, at: SealedAt) => {
    if (opens(key, value, at)) return undefined;
    if (!opens(box, value, at))
      throw new Error(`Neither key opens ${at.column} of ${at.table} ${at.id}. Set it anew, or delete what has it.`);
    return key.seal(box.open(value, at), at);
  };
  return rewrite(database, sealed, resealed, onProgress);
}

/** Binds values of older versions to their places. Calls `onUnreadable` for values that no key opens. */
export function bindValues(
  database: Database,
  sealed: readonly SealedColumns[],
  keys: SecretKeys,
  onUnreadable: (at: SealedAt) => void,
): Promise<number> {
  const rebound = (value: string, at: SealedAt) => {
    const now = bindToPlace(keys, value, at);
    if (now === undefined && !isBound(value)) onUnreadable(at);
    return now;
  };
  return rewrite(database, sealed, rebound, () => {});
}

/**
 * Replaces values in small transactions, while the hub may be running: a value that changed concurrently stays. Returns
 * the number of replaced values.
 */
async function rewrite(
  database: Database,
  sealed: readonly SealedColumns[],
  replacement: (value: string, at: SealedAt) => string | undefined,
  onProgress: OnProgress,
): Promise<number> {
  let replaced = 0;
  for (const { table, columns } of sealed) {
    let rows = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after;
      const step = await database.transaction(async (tx) => {
        const page = await sealedPage(tx, { table, columns }, from, STEP);
        let done = 0;
        for (const row of page)
          for (const column of columns) {
            const value = row.values[column];
            const by = value ? replacement(value, { table, column, id: row.id }) : undefined;
            if (value && by !== undefined) done += await replaceSealed(tx, { table, column, id: row.id, value, by });
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
