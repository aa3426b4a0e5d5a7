import type { OnProgress } from '../backup/format.ts';
import type { Database } from '../database/transaction.ts';
import { bindToPlace, createSecretBox, isBound, opens, type SealedAt, type SecretKeys } from '../secrets.ts';
import { replaceSealed, type SealedColumns } from './sealed-store.ts';
import { countSealed } from './sealed-values.ts';

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
const rewrite = (
  database: Database,
  sealed: readonly SealedColumns[],
  replacement: (value: string, at: SealedAt) => string | undefined,
  progress: OnProgress,
): Promise<number> =>
  countSealed(sealed, {
    inTransaction: (step) => database.transaction(step),
    onValue: (tx, value, at) => {
      const by = replacement(value, at);
      return by === undefined ? 0 : replaceSealed(tx, { ...at, value, by });
    },
    progress,
  });
