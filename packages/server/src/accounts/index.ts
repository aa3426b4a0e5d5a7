export { createDisabling, type Disabling } from './disabling.ts';
export { type AccountEvent, accountTopic } from './events.ts';
export { accountPage, lastUses } from './listing.ts';
export { createOwnTokens, type OwnTokens } from './own-tokens.ts';
export { findPicture, insertPicture } from './pictures.ts';
export { accountNameFault, deletedKey, nameKey } from './policy.ts';
export { avatarUrl, hostedAvatarUrl, uploadedPath } from './present.ts';
export { accountRoutes } from './routes.ts';
export { type Accounts, createAccounts } from './service.ts';
export { requireASiteAdmin } from './site-admins.ts';
export {
  type Account,
  deleteAccount,
  deleteToken,
  findAccount,
  findAccountById,
  findAccountsById,
  findToken,
  findTokenByHash,
  findTokenById,
  fineGrainedFrom,
  fineGrainedText,
  isDisabled,
  lockAccount,
  lockAccountNamed,
  lockDeletedAccount,
  renameKey,
  tokensMadeBy,
  updateAccount,
  updateToken,
} from './store.ts';
export type { AccountRow, TokenRow } from './tables.ts';
