import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { AvatarRow } from './tables.ts';

export async function insertPicture(executor: Executor, picture: AvatarRow): Promise<void> {
  await executor.insertInto('avatars').values(picture).execute();
}

/** Returns the uploaded picture with a hash, whichever account uses it. */
export async function findPicture(executor: ReadExecutor, hash: string): Promise<Buffer | undefined> {
  const row = await executor
    .selectFrom('avatars')
    .select('picture')
    .where('hash', '=', hash)
    .limit(1)
    .executeTakeFirst();
  return row && Buffer.from(row.picture);
}
