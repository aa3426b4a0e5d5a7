import type { SecondFactor } from '@moonbase/contract/sign-in/second-factors';
import { timestamp } from '../../platform/clock.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { findFactor } from './factor-store.ts';
import { countRecoveryCodes } from './recovery-store.ts';

/** Returns the state of a user's second factor. */
export async function stateOf(executor: ReadExecutor, userId: string): Promise<SecondFactor> {
  const factor = await findFactor(executor, userId);
  if (!factor) return { enabled: false };
  return {
    enabled: true,
    since: timestamp(factor.confirmed_at ?? factor.created_at),
    recoveryCodes: await countRecoveryCodes(executor, userId),
  };
}
