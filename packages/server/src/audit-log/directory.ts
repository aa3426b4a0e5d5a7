import type { ReadExecutor } from '../platform/database/transaction.ts';

interface KnownAccount {
  readonly id: string;
  readonly name: string;
  readonly avatar_url: string | null;
}

/**
 * Provides current data about the accounts and access tokens in events. The slice accounts, to the right of this one,
 * implements it.
 */
export interface Directory {
  readonly avatarUrl: (baseUrl: string, account: Pick<KnownAccount, 'id' | 'avatar_url'>) => string;
  /** Returns those of the accounts that still exist. */
  readonly findExistingAccounts: (executor: ReadExecutor, ids: readonly string[]) => Promise<readonly KnownAccount[]>;
  /** Returns those of the access tokens that still exist. */
  readonly findExistingTokens: (
    executor: ReadExecutor,
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string }[]>;
}
