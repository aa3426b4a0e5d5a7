import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';
import type { CodeRow } from './tables.ts';

export async function insertCode(tx: Executor, row: CodeRow): Promise<void> {
  await tx.insertInto('oauth_codes').values(row).execute();
}

/** Returns a code of a kind, locked until the end of the transaction. */
export const lockCode = (tx: Executor, kind: CodeRow['kind'], hash: string): Promise<CodeRow | undefined> =>
  tx
    .selectFrom('oauth_codes')
    .selectAll()
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .modifyEnd(forUpdateOf(tx, 'oauth_codes'))
    .executeTakeFirst();

export async function updateCode(tx: Executor, hash: string, change: Partial<CodeRow>): Promise<void> {
  await tx.updateTable('oauth_codes').set(change).where('hash', '=', hash).execute();
}

/** Deletes at most `limit` codes that expired before a time; returns the number of deleted codes. */
export async function deleteOldCodes(tx: Executor, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauth_codes')
    .where('hash', 'in', (of) =>
      of.selectFrom('oauth_codes').select('hash').where('expires_at', '<', before).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
