export { accountPage, lastUses } from './account-list-store.ts';
export { type CutOffRules, principalToken, recordTokenUse } from './authentication.ts';
export { directory } from './directory.ts';
export { createDisabling, type Disabling } from './disabling.ts';
export { type AccountEvent, accountTopic } from './events.ts';
export { auditedToken, createOwnTokens, type OwnTokens } from './own-tokens.ts';
export { findPicture, insertPicture } from './picture-store.ts';
export { accountNameFault, deletedKey, nameKey } from './policy.ts';
export { avatarUrl, hostedAvatarUrl, presentUser, uploadedPath } from './present.ts';
export { requireEnabledUser, requireUser } from './require-user.ts';
export { accountRoutes } from './routes.ts';
export { type Accounts, createAccounts } from './service.ts';
export { requireASiteAdmin } from './site-admins.ts';
export { type FindPrincipal, type Standing, standingOf, unlimited } from './standing.ts';
export {
  type Account,
  countTokens,
  deleteAccount,
  deleteToken,
  deleteTokensById,
  findAccount,
  findAccountById,
  findAccountsById,
  findAccountsNamed,
  findToken,
  findTokenByHash,
  findTokenById,
  findTokensOf,
  findUserToSignIn,
  fineGrainedFrom,
  fineGrainedText,
  firstSiteAdmin,
  HOLDER_COLUMNS,
  hasAddress,
  isDisabled,
  lockAccount,
  lockAccountById,
  lockAccountNamed,
  lockDeletedAccount,
  renameKey,
  tokensMadeBy,
  updateAccount,
  updateToken,
} from './store.ts';
export type { AccountRow, TokenRow } from './tables.ts';
export { ACCOUNTS_BACKUP, NO_OWN_QUOTAS } from './tables.ts';
export type { NewToken } from './token-issuing.ts';
