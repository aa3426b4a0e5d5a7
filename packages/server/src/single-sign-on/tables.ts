import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    identities: IdentityRow;
    logout_tokens: { hash: string; expires_at: number };
    organization_providers: OrganizationProviderRow;
  }
}

/** The backup plan of these tables: people sign in to a restored hub with the same providers. */
export const SINGLE_SIGN_ON_BACKUP = {
  identities: 'kept',
  organization_providers: 'kept',
  logout_tokens: 'left out: the sessions that they ended are left out, too',
} satisfies TablePlan;

export const SINGLE_SIGN_ON_SEALED: SealedColumns = { table: 'organization_providers', columns: ['client_secret'] };

export interface IdentityRow {
  id: string;
  /** `hub`, or the id of the organization. */
  provider: string;
  org_id: string | null;
  issuer: string;
  subject: string;
  user_id: string;
  /** 1: the provider alone decides who signs in to the account. */
  owned: number;
  /** The last address that the provider sent, verified or not. */
  email: string | null;
  created_at: number;
  used_at: number;
}

export interface OrganizationProviderRow {
  /** The id of the organization. */
  id: string;
  issuer: string;
  client_id: string;
  /** Sealed; null: the hub is a public client. */
  client_secret: string | null;
  /** The settings in JSON. */
  settings: string;
  created_at: number;
  updated_at: number;
}
