import { createSecretBox, createSigner, opens, type SecretKeys, signingKey } from '../secrets.ts';
import type { Database, Executor } from './transaction.ts';

/*
 * What the database says of its keys, in `settings`, each value sealed: the key that it was made with, the key that its
 * secrets are being moved to, and what was derived from its first key and outlives it.
 */
const CHECK = 'secret-key-check';
const NEXT = 'secret-key-next';
const KEPT = 'secret-key-kept';

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
    await put(tx, CHECK, key.seal(CHECK));
    const check = await settingOf(tx, CHECK);
    if (check === undefined || !opens(box, check))
      throw new Error(
        'The secret key is not the one that this database was made with. Set MOONBASE_SECRET_KEY to that one, or put its key file back into the data folder.',
      );
    if (keys.old !== undefined && !opens(key, check)) {
      await put(tx, NEXT, key.seal(NEXT));
      await put(tx, KEPT, key.seal(JSON.stringify(derivedFrom(keys.old))));
    }
    const next = await settingOf(tx, NEXT);
    if (next !== undefined && !opens(box, next))
      throw new Error(
        'The secrets of this database are being moved to another key: set MOONBASE_SECRET_KEY to that one and MOONBASE_SECRET_KEY_OLD to the one before, and run "moonbase secrets rotate".',
      );
    const kept = await settingOf(tx, KEPT);
    return kept === undefined ? derivedFrom(keys.key) : (JSON.parse(box.open(kept)) as Derived);
  });
}

/** The last step of moving secrets: from now on the database knows the new key alone. */
export async function completeKeyChange(database: Database, keys: SecretKeys): Promise<void> {
  const box = createSecretBox(keys.key, keys.old);
  await database.transaction(async (tx) => {
    const kept = await settingOf(tx, KEPT);
    if (kept !== undefined) await change(tx, KEPT, box.seal(box.open(kept)));
    await change(tx, CHECK, box.seal(CHECK));
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

async function settingOf(tx: Executor, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}
