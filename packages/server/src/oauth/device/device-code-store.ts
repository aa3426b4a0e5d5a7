import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import type { CodeRow } from '../tables.ts';

/** Returns the number of unexpired codes of an address block. */
export async function countWaiting(executor: ReadExecutor, addressBlock: string, now: number): Promise<number> {
  const { count } = await executor
    .selectFrom('oauth_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('address_block', '=', addressBlock)
    .where('expires_at', '>', now)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns the pending device code that belongs to a typed user code. */
export const findWaiting = (executor: ReadExecutor, userCodeHash: string, now: number): Promise<CodeRow | undefined> =>
  executor
    .selectFrom('oauth_codes')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Like `findWaiting`, but locks the code until the end of the transaction. */
export const lockWaiting = (tx: Executor, userCodeHash: string, now: number): Promise<CodeRow | undefined> =>
  tx
    .selectFrom('oauth_codes')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .modifyEnd(forUpdateOf(tx, 'oauth_codes'))
    .executeTakeFirst();
