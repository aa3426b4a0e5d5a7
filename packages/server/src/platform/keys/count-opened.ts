import type { OnProgress } from '../backup/format.ts';
import type { Executor } from '../database/transaction.ts';
import { bindToPlace, createSecretBox, isBound, opens, type SealedAt, type SecretKeys } from '../secrets.ts';
import type { SealedColumns } from './sealed-store.ts';
import { countSealed } from './sealed-values.ts';

interface Opened {
  readonly opened: number;
  /** The number of values that no key opens. */
  readonly closed: number;
  /** One of them. */
  readonly example: SealedAt | undefined;
}

/** Counts the sealed values that the keys open, of this version or an older one. */
export async function countOpened(
  tx: Executor,
  sealed: readonly SealedColumns[],
  keys: SecretKeys | undefined,
  progress: OnProgress,
): Promise<Opened> {
  const box = keys && createSecretBox(keys.key, keys.old);
  const isOpened = (value: string, at: SealedAt): boolean =>
    keys !== undefined &&
    box !== undefined &&
    (isBound(value) ? opens(box, value, at) : bindToPlace(keys, value, at) !== undefined);
  let closed = 0;
  let example: SealedAt | undefined;
  const opened = await countSealed(sealed, {
    inTransaction: (step) => step(tx),
    onValue: (_tx, value, at) => {
      if (isOpened(value, at)) return 1;
      closed++;
      example ??= at;
      return 0;
    },
    progress,
  });
  return { opened, closed, example };
}
