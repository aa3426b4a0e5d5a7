import type { Executor } from '../../platform/database/transaction.ts';

/** Marks a logout token as used; returns false if it was used before. */
export async function spendLogoutToken(tx: Executor, hash: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('logout_tokens')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Deletes at most `limit` expired logout tokens; returns the number of deleted tokens. */
export async function deleteOldLogoutTokens(tx: Executor, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('logout_tokens')
    .where('hash', 'in', (of) =>
      of.selectFrom('logout_tokens').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
