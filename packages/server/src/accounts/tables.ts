import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Plan } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    accounts: AccountRow;
    avatars: AvatarRow;
    tokens: TokenRow & { last_used_at: Generated<number | null>; made_by: Generated<string | null> };
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const ACCOUNTS_BACKUP = {
  accounts: 'kept',
  tokens: 'kept',
  avatars: 'kept',
} satisfies TablePlan;

export const ACCOUNT = {
  id: text(),
  kind: text<'user' | 'org'>(),
  name: text(),
  name_key: text(),
  fullname: text(),
  avatar_url: text<string | null>(),
  created_at: bigint(),
  email: text<string | null>(),
  pro: integer(),
  site_admin: integer(),
  plan: text<Plan>(),
  details: text<string | null>(),
  /** Null: the account is enabled. */
  disabled_at: bigint<number | null>(),
  /** The site administrator or the organization that disabled the account. */
  disabled_by: text<string | null>(),
  /** Thousandths of a GiB of large files. Null: the settings decide; -1: no limit. */
  storage_quota: bigint<number | null>(),
  /** Counts of webhooks, of access tokens, and of discussions in any 24 hours. Null: the settings decide; -1: no limit. */
  webhook_quota: integer<number | null>(),
  token_quota: integer<number | null>(),
  discussion_quota: integer<number | null>(),
};

export type AccountRow = RowOf<typeof ACCOUNT>;

/** The quotas of an account for which the settings decide. */
export const NO_OWN_QUOTAS = {
  ...{ storage_quota: null, webhook_quota: null, token_quota: null, discussion_quota: null },
} satisfies Partial<AccountRow>;

export interface AvatarRow {
  account_id: string;
  hash: string;
  picture: Uint8Array;
  created_at: number;
}

export const TOKEN = {
  id: text(),
  user_id: text(),
  display_name: text(),
  role: text<TokenRole>(),
  fine_grained: text<string | null>(),
  hash: text(),
  last4: text(),
  created_at: bigint(),
  /** The time at which the token expires; null: never. */
  expires_at: bigint<number | null>(),
};

export type TokenRow = RowOf<typeof TOKEN>;
