import type { Database } from '../database/transaction.ts';
import {
  bindToPlace,
  createSecretBox,
  createSigner,
  isBound,
  opens,
  type SealedAt,
  type SecretKeys,
  signingKey,
} from '../secrets.ts';
import { parseJson } from '../stored-form.ts';
import { bindValues } from './reseal.ts';
import type { SealedColumns } from './sealed-store.ts';
import { deleteSetting, insertSetting, settingOf, updateSetting } from './setting-store.ts';

/*
 * The database stores sealed values about its keys in `settings`: a check value for its key, one for the key that its
 * secrets are being moved to, and values derived from its first key that outlive it.
 */
const CHECK = 'secret-key-check';
const NEXT = 'secret-key-next';
const KEPT = 'secret-key-kept';

const at = (name: string): SealedAt => ({ table: 'settings', column: 'value', id: name });

/** Returns whether one of the keys opens a check value, of this version or an older one. */
export const opensCheck = (keys: SecretKeys, check: string): boolean =>
  opens(createSecretBox(keys.key, keys.old), bindToPlace(keys, check, at(CHECK)) ?? check, at(CHECK));

/**
 * Binds the secrets of a database that an older version filled to their places. The check value is bound last and
 * thereby marks completion; after that, unbound values are never opened, so that nobody without the key can reverse the
 * step. If interrupted, the work is repeated at the next start.
 */
export async function bindSecrets(
  database: Database,
  sealed: readonly SealedColumns[],
  keys: SecretKeys,
  onUnreadable: (at: SealedAt) => void,
): Promise<void> {
  const check = await settingOf(database.read, CHECK);
  if (check === undefined || isBound(check) || !opensCheck(keys, check)) return;
  await bindValues(database, sealed, keys, onUnreadable);
  await database.transaction(async (tx) => {
    for (const name of [NEXT, KEPT, CHECK]) {
      const value = await settingOf(tx, name);
      const now = value === undefined ? undefined : bindToPlace(keys, value, at(name));
      if (now !== undefined) await updateSetting(tx, name, now);
    }
  });
}

/** Values derived from the first key of a hub, which stay the same when secrets are moved to another key. */
export interface DerivedValues {
  /** Identifies this hub on machines that several hubs share, for example its containers. */
  readonly mark: string;
  /** Signs unsubscribe links in mails, which people keep for long. */
  readonly unsubscribeKey: string;
}

const derivedFrom = (key: string): DerivedValues => ({
  mark: createSigner(key, 'mark of the hub').sign('').slice(0, 16),
  unsubscribeKey: signingKey(key, 'unsubscribe links'),
});

/**
 * Throws if the keys do not open the secrets of this database. If `key` is new to the database, `old` must open them;
 * from then on the database requires both keys until all secrets are moved to the new one.
 */
export async function checkSecretKeys(database: Database, keys: SecretKeys): Promise<DerivedValues> {
  const box = createSecretBox(keys.key, keys.old);
  const key = createSecretBox(keys.key);
  return database.transaction(async (tx) => {
    await insertSetting(tx, CHECK, key.seal(CHECK, at(CHECK)));
    const check = await settingOf(tx, CHECK);
    if (check === undefined || !opens(box, check, at(CHECK)))
      throw new Error(
        'The secret key is not the one that this database was made with. Set MOONBASE_SECRET_KEY to that one, or put its key file back into the data folder.',
      );
    if (keys.old !== undefined && !opens(key, check, at(CHECK))) {
      await insertSetting(tx, NEXT, key.seal(NEXT, at(NEXT)));
      await insertSetting(tx, KEPT, key.seal(JSON.stringify(derivedFrom(keys.old)), at(KEPT)));
    }
    const next = await settingOf(tx, NEXT);
    if (next !== undefined && !opens(box, next, at(NEXT)))
      throw new Error(
        'The secrets of this database are being moved to another key: set MOONBASE_SECRET_KEY to that one and MOONBASE_SECRET_KEY_OLD to the one before, and run "moonbase secrets rotate".',
      );
    const kept = await settingOf(tx, KEPT);
    return kept === undefined ? derivedFrom(keys.key) : parseJson<DerivedValues>(box.open(kept, at(KEPT)));
  });
}

/** The last step of moving secrets: afterwards the database accepts the new key only. */
export async function completeKeyChange(database: Database, keys: SecretKeys): Promise<void> {
  const box = createSecretBox(keys.key, keys.old);
  await database.transaction(async (tx) => {
    const kept = await settingOf(tx, KEPT);
    if (kept !== undefined) await updateSetting(tx, KEPT, box.seal(box.open(kept, at(KEPT)), at(KEPT)));
    await updateSetting(tx, CHECK, box.seal(CHECK, at(CHECK)));
    await deleteSetting(tx, NEXT);
  });
}
