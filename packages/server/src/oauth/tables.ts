import type { GrantedScope, OauthScope } from '@moonbase/contract/oauth/scopes';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';
import type { JsonText } from '../platform/stored-form.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    oauth_apps: AppRow;
    oauth_grants: GrantRow;
    oauth_codes: CodeRow;
    oauth_tokens: OauthTokenRow;
    signing_keys: SigningKeyRow;
    trusted_publishers: PublisherRow;
    publisher_tokens: PublisherTokenRow;
  }
}

/** The backup plan of these tables, a table after those that it references: logged-in programs stay logged in. */
export const OAUTH_BACKUP = {
  oauth_apps: 'kept',
  oauth_grants: 'kept',
  oauth_codes: 'left out: they last for minutes, and what was used since must not work again',
  oauth_tokens: 'kept',
  signing_keys: 'kept',
  trusted_publishers: 'kept',
  publisher_tokens: 'left out: they last for an hour',
} satisfies TablePlan;

export const OAUTH_SEALED: SealedColumns = { table: 'signing_keys', columns: ['private_key'] };

export interface AppRow {
  client_id: string;
  owner_id: string;
  name: string;
  /** SHA-256 of the secret of a confidential application. */
  secret_hash: string | null;
  redirects: JsonText<readonly string[]>;
  scopes: JsonText<readonly OauthScope[]>;
  token_minutes: number;
  created_at: number;
}

export interface GrantRow {
  /** The id of the grant and of the access token behind it. */
  id: string;
  user_id: string;
  client_id: string;
  scopes: JsonText<readonly GrantedScope[]>;
  org_ids: JsonText<readonly string[]>;
  address: string;
  user_agent: string | null;
  created_at: number;
}

export interface CodeRow {
  /** SHA-256 of the code. */
  hash: string;
  kind: 'device' | 'authorization';
  client_id: string;
  scopes: JsonText<readonly GrantedScope[]>;
  status: 'pending' | 'approved' | 'denied' | 'spent';
  grant_id: string | null;
  user_code_hash: string | null;
  interval_seconds: number;
  polled_at: number | null;
  /** The address block and the address from which the code was requested. */
  address_block: string;
  address: string;
  user_agent: string | null;
  redirect_uri: string | null;
  /** The PKCE challenge: SHA-256 in base64url. */
  challenge: string | null;
  nonce: string | null;
  /** When the user last proved their identity. */
  auth_at: number | null;
  created_at: number;
  expires_at: number;
}

export interface OauthTokenRow {
  /** SHA-256 of the token. */
  hash: string;
  kind: 'access' | 'refresh';
  grant_id: string;
  /** The hash of the refresh token that was exchanged for this token. */
  predecessor: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  /** When a successor of this refresh token was first used. */
  replaced_at: number | null;
}

export interface SigningKeyRow {
  /** The `kid` of the key. */
  id: string;
  private_key: string;
  public_key: string;
  created_at: number;
}

export interface PublisherRow {
  /** The id of the publisher and of the access token behind it. */
  id: string;
  user_id: string;
  /** The id of a repository or an account. */
  resource_id: string;
  issuer: string;
  claims: JsonText<Readonly<Record<string, string>>>;
  created_at: number;
  used_at: number | null;
}

export interface PublisherTokenRow {
  /** SHA-256 of the token. */
  hash: string;
  publisher_id: string;
  /** SHA-256 of the provider's token that was exchanged. */
  subject_hash: string;
  /** The address block from which the provider's token was exchanged. */
  address_block: string;
  created_at: number;
  expires_at: number;
  /** The time at which the provider's token has expired as well. */
  kept_until: number;
}
