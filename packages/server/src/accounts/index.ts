export { accountNameFault, nameKey } from './policy.ts';
export { avatarUrl, uploadedPath } from './present.ts';
export { type Accounts, createAccounts } from './service.ts';
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
  updateAccount,
  updateToken,
} from './store.ts';
