import type { Account } from './store.ts';

/** Where the picture of an account is: its own, or the one generated from its id. */
export const avatarUrl = (baseUrl: string, account: Pick<Account, 'id' | 'avatar_url'>): string =>
  account.avatar_url ?? `${baseUrl}/avatars/${account.id}.svg`;
