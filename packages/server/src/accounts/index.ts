export { accountPage, lastUses } from './listing.ts';
export { createOwnTokens, type OwnTokens } from './own-tokens.ts';
export { accountNameFault, deletedKey, nameKey } from './policy.ts';
export { avatarUrl, uploadedPath } from './present.ts';
export { accountRoutes } from './routes.ts';
export { type AccountEvent, type Accounts, createAccounts } from './service.ts';
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
  lockAccount,
  lockAccountNamed,
  lockDeletedAccount,
  renameKey,
  updateAccount,
  updateToken,
} from './store.ts';
