import type { Directory } from '../audit-log/index.ts';
import { avatarUrl } from './present.ts';
import { findExistingAccounts, findExistingTokens } from './store.ts';

/** Gives the audit log access to current accounts and access tokens. */
export const directory: Directory = { avatarUrl, findExistingAccounts, findExistingTokens };
