import type { Database, Executor, ReadExecutor } from '../database/transaction.ts';
import {
  bound,
  createSecretBox,
  createSigner,
  isBound,
  opens,
  type SealedAt,
  type SecretKeys,
  signingKey,
} from '../secrets.ts';
import { bindValues } from './reseal.ts';

/*
 * What the database says of its keys, in `settings`, each value sealed: the key that it was made with, the key that its
 * secrets are being moved to, and what was derived from its first key and outlives it.
 */
const CHECK = 'secret-key-check';
const NEXT = 'secret-key-next';
const KEPT = 'secret-key-kept';

const at = (name: string): SealedAt => ({ table: 'settings', column: 'value', id: name });

/** Whether a check value was sealed with one of the keys, by this version or one before it. */
export const opensCheck = (keys: SecretKeys, check: string): boolean =>
  opens(createSecretBox(keys.key, keys.old), bound(keys, check, at(CHECK)) ?? check, at(CHECK));

/**
 * Binds to their places the secrets of a database that an older version has filled, which its check value shows: that is
 * bound last. From then on nothing opens that is not bound, and nobody without the key can take that back. It may end at
 * any moment and is then done again.
 */
export async function bindSecrets(
  database: Database,
  keys: SecretKeys,
  onUnreadable: (at: SealedAt) => void,
): Promise<void> {
  const check = await settingOf(database.read, CHECK);
  if (check === undefined || isBound(check) || !opensCheck(keys, check)) return;
  await bindValues(database, keys, onUnreadable);
  await database.transaction(async (tx) => {
    for (const name of [NEXT, KEPT, CHECK]) {
      const value = await settingOf(tx, name);
      const now = value === undefined ? undefined : bound(keys, value, at(name));
      if (now !== undefined) await change(tx, name, now);
    }
  });
}

/** Derived from the first key of a hub; the same after its secrets were moved to another. */
export interface Derived {
  /** Tells what belongs to this hub from what belongs to others, such as the containers of jobs. */
  readonly mark: string;
  /** Signs links in mails, which are kept for long. */
  readonly unsubscribeKey: string;
}

const derivedFrom = (key: string): Derived => ({
  mark: createSigner(key, 'mark of the hub').sign('').slice(0, 16),
  unsubscribeKey: signingKey(key, 'unsubscribe links'),
});

/**
 * Refuses to start with other keys than those that the secrets of this database are sealed with. Where the key is new
 * to it, what stands in `old` has to open it; from then on the database wants both, until all is moved to the new one.
 */
export async function checkSecretKeys(database: Database, keys: SecretKeys): Promise<Derived> {
  const box = createSecretBox(keys.key, keys.old);
  const key = createSecretBox(keys.key);
  return database.transaction(async (tx) => {
    await put(tx, CHECK, key.seal(CHECK, at(CHECK)));
    const check = await settingOf(tx, CHECK);
    if (check === undefined || !opens(box, check, at(CHECK)))
      throw new Error(
        'The secret key is not the one that this database was made with. Set MOONBASE_SECRET_KEY to that one, or put its key file back into the data folder.',
      );
    if (keys.old !== undefined && !opens(key, check, at(CHECK))) {
      await put(tx, NEXT, key.seal(NEXT, at(NEXT)));
      await put(tx, KEPT, key.seal(JSON.stringify(derivedFrom(keys.old)), at(KEPT)));
    }
    const next = await settingOf(tx, NEXT);
    if (next !== undefined && !opens(box, next, at(NEXT)))
      throw new Error(
        'The secrets of this database are being moved to another key: set MOONBASE_SECRET_KEY to that one and MOONBASE_SECRET_KEY_OLD to the one before, and run "moonbase secrets rotate".',
      );
    const kept = await settingOf(tx, KEPT);
    return kept === undefined ? derivedFrom(keys.key) : (JSON.parse(box.open(kept, at(KEPT))) as Derived);
  });
}

/** The last step of moving secrets: from now on the database knows the new key alone. */
export async function completeKeyChange(database: Database, keys: SecretKeys): Promise<void> {
  const box = createSecretBox(keys.key, keys.old);
  await database.transaction(async (tx) => {
    const kept = await settingOf(tx, KEPT);
    if (kept !== undefined) await change(tx, KEPT, box.seal(box.open(kept, at(KEPT)), at(KEPT)));
    await change(tx, CHECK, box.seal(CHECK, at(CHECK)));
    await tx.deleteFrom('settings').where('name', '=', NEXT).execute();
  });
}

const put = (tx: Executor, name: string, value: string) =>
  tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();

const change = (tx: Executor, name: string, value: string) =>
  tx.updateTable('settings').set({ value }).where('name', '=', name).execute();

async function settingOf(tx: ReadExecutor, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
