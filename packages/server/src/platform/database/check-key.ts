import type { SecretBox } from '../secrets.ts';
import type { Database } from './transaction.ts';

const NAME = 'secret-key-check';

/** Refuses to start with another key than the one that the secrets of this database were sealed with. */
export async function checkSecretKey(database: Database, secretBox: SecretBox): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .insertInto('settings')
      .values({ name: NAME, value: secretBox.seal(NAME) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const { value } = await tx
      .selectFrom('settings')
      .select('value')
      .where('name', '=', NAME)
      .executeTakeFirstOrThrow();
    try {
      secretBox.open(value);
    } catch {
      throw new Error(
        'The secret key is not the one that this database was made with. Set MOONBASE_SECRET_KEY to that one, or put its key file back into the data folder.',
      );
    }
  });
}
