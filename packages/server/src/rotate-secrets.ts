import type { Config } from './config.ts';
import { databaseOf, openInfrastructure } from './infrastructure.ts';
import { IN_MEMORY } from './platform/database/sqlite/sqlite.ts';
import { openDatabase } from './platform/database/transaction.ts';
import { completeKeyChange } from './platform/keys/check-key.ts';
import { adoptNextKey, makeNextKey, readOrMakeKeys } from './platform/keys/key-file.ts';
import { reseal } from './platform/keys/reseal.ts';
import { SEALED } from './tables.ts';

export interface Progress {
  readonly table: string;
  readonly rows: number;
}

export interface Rotation {
  /** The number of values that were re-encrypted. */
  readonly moved: number;
  /** The location of the new key. */
  readonly key: 'environment' | 'file';
}

/**
 * Moves all secrets at rest to a new key: to `secretKey` from `secretKeyOld` or, for a key file, to a new key that is
 * created here. If interrupted, it can be run again; hubs with both keys keep working in the meantime.
 */
export async function rotateSecrets(
  config: Config,
  progress: (progress: Progress) => void = () => {},
): Promise<Rotation> {
  const { secretKey, secretKeyOld, dataDir, databaseUrl } = config;
  if (dataDir === IN_MEMORY && databaseUrl === undefined)
    throw new Error('MOONBASE_DATA_DIR is :memory:, which nothing else can read or change.');
  if (secretKey !== undefined && (secretKeyOld === undefined || secretKeyOld === secretKey))
    throw new Error('Set MOONBASE_SECRET_KEY to the new key and MOONBASE_SECRET_KEY_OLD to the one before.');
  await using database = openDatabase(databaseOf(config));
  // Done only after the folder is locked, because a running hub would keep using its key.
  if (secretKey === undefined) makeNextKey(dataDir);
  await openInfrastructure(config, { database });
  const keys = secretKey === undefined ? readOrMakeKeys(dataDir) : { key: secretKey, old: secretKeyOld };
  let moved = 0;
  // Repeats until a whole pass finds nothing, because hubs may still have sealed values with the old key.
  for (let some = -1; some !== 0; moved += some) some = await reseal(database, SEALED, keys, progress);
  await completeKeyChange(database, keys);
  if (secretKey === undefined && keys.old !== undefined) adoptNextKey(dataDir);
  return { moved, key: secretKey === undefined ? 'file' : 'environment' };
}
