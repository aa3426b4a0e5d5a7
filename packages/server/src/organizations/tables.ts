import type { Generated } from 'kysely';

declare module '../platform/database/tables.ts' {
  interface Tables {
    organization_settings: OrganizationSettingsRow;
  }
}

export interface OrganizationSettingsRow {
  org_id: string;
  members_private: number;
  /** The least role that may create resource groups. */
  group_creators: 'admin' | 'write' | 'contributor' | 'read';
  /** JSON. */
  join_domains: string;
  token_policy: 'any' | 'fine-grained' | 'approval';
  deleted_at: number | null;
  /** JSON. */
  verified_domains: Generated<string>;
}
