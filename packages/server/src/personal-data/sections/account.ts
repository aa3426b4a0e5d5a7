import { avatarUrl, findAccountById } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { type Section, type Subject, single, stored } from '../section.ts';
import { providerRecordsOf, waysInOf } from './account-store.ts';

/** The lists and settings of other slices. */
export interface AccountSources {
  readonly usage: (caller: Caller) => Promise<object>;
  readonly notificationSettings: (caller: Caller) => Promise<object>;
  readonly mcpSettings: (caller: Caller) => Promise<object>;
}

/** The account itself, its settings, and what identity providers say about the user. */
export const accountSections = ({ usage, notificationSettings, mcpSettings }: AccountSources): Section[] => [
  single('account', async ({ read, userId, asUser }) => {
    const account = await findAccountById(read, userId);
    if (!account) return undefined;
    const { passwordAt, secondFactorAt } = await waysInOf(read, userId);
    return {
      ...{ id: userId, name: account.name, fullname: account.fullname, email: account.email },
      avatarUrl: avatarUrl(asUser.baseUrl, account),
      ...{ details: account.details, isPro: account.pro === 1, isAdmin: account.site_admin === 1 },
      disabled: account.disabled_at !== null,
      ...(account.disabled_at !== null && { disabledAt: timestamp(account.disabled_at) }),
      createdAt: timestamp(account.created_at),
      ...(passwordAt !== null && { passwordSetAt: timestamp(passwordAt) }),
      ...(secondFactorAt !== null && { secondFactorSince: timestamp(secondFactorAt) }),
      ...(await usage(asUser)),
    };
  }),
  single('notificationSettings', ({ asUser }: Subject) => notificationSettings(asUser)),
  single('mcpSettings', ({ asUser }: Subject) => mcpSettings(asUser)),
  stored('providerRecords', {
    rows: providerRecordsOf,
    present: (row) => ({
      organization: row.organization,
      userName: row.user_name,
      externalId: row.external_id,
      ...{ givenName: row.given_name, familyName: row.family_name, formatted: row.formatted },
      ...{ displayName: row.display_name, email: row.email },
      createdAt: timestamp(row.created_at),
      updatedAt: timestamp(row.updated_at),
    }),
  }),
];
