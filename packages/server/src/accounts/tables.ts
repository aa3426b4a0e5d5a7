import type { TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Plan } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';

declare module '../platform/database/tables.ts' {
  interface Tables {
    accounts: AccountRow;
    avatars: AvatarRow;
    tokens: TokenRow & { last_used_at: Generated<number | null>; made_by: Generated<string | null> };
  }
}

export interface AccountRow {
  id: string;
  kind: 'user' | 'org';
  name: string;
  name_key: string;
  fullname: string;
  avatar_url: string | null;
  created_at: number;
  email: string | null;
  pro: number;
  site_admin: number;
  plan: Plan;
  details: string | null;
  /** Null: the account is enabled. */
  disabled_at: number | null;
  /** The site administrator or the organization that disabled it. */
  disabled_by: string | null;
}

export interface AvatarRow {
  account_id: string;
  hash: string;
  picture: Uint8Array;
  created_at: number;
}

export interface TokenRow {
  id: string;
  user_id: string;
  display_name: string;
  role: TokenRole;
  fine_grained: string | null;
  hash: string;
  last4: string;
  created_at: number;
}
