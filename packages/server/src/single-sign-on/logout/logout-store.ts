import type { Executor } from '../../platform/database/transaction.ts';

/** Notes that a logout token was used; false where it was before. */
export async function spendLogoutToken(tx: Executor, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('logout_tokens')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Deletes logout tokens that have expired; returns how many, `limit` at most. */
export async function deleteOldLogoutTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('logout_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('logout_tokens').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
