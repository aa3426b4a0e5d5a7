import type { Config } from './config.ts';
import { databaseOf, openInfrastructure } from './infrastructure.ts';
import { IN_MEMORY } from './platform/database/sqlite.ts';
import { openDatabase } from './platform/database/transaction.ts';
import { completeKeyChange } from './platform/keys/check-key.ts';
import { adoptNextKey, makeNextKey, readOrMakeKeys } from './platform/keys/key-file.ts';
import { reseal } from './platform/keys/reseal.ts';

export interface Progress {
  readonly table: string;
  readonly rows: number;
}

export interface Rotation {
  /** How many values were under the old key. */
  readonly moved: number;
  /** Where the new key is. */
  readonly key: 'environment' | 'file';
}

/**
 * Moves every secret at rest to a new key: to `secretKey` from `secretKeyOld`, or, where the key is a file, to one that
 * is made here. It may end at any moment and be run again; hubs that have both keys work meanwhile.
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
  // Only now, as the folder is locked: a hub that runs there goes on with its key.
  if (secretKey === undefined) makeNextKey(dataDir);
  await openInfrastructure(config, { database });
  const keys = secretKey === undefined ? readOrMakeKeys(dataDir) : { key: secretKey, old: secretKeyOld };
  let moved = 0;
  // Until a whole pass finds nothing: hubs that still seal with the old key may have been at work.
  for (let some = -1; some !== 0; moved += some) some = await reseal(database, keys, progress);
  await completeKeyChange(database, keys);
  if (secretKey === undefined && keys.old !== undefined) adoptNextKey(dataDir);
  return { moved, key: secretKey === undefined ? 'file' : 'environment' };
}
