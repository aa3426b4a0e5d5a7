import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    memberships: MembershipTable;
    custom_roles: CustomRoleRow;
    resource_groups: ResourceGroupRow;
    organization_settings: OrganizationSettingsRow;
    organization_tokens: OrganizationTokenRow;
    resource_group_users: ResourceGroupUserRow;
  }
}

export interface MembershipTable {
  org_id: string;
  user_id: string;
  /** The name of the role, built-in or custom. */
  role: string;
  /** The built-in role that it stands on. */
  base_role: BuiltInRole;
  created_at: number;
  search_key: Generated<string>;
  in_scim: Generated<number>;
}

export interface CustomRoleRow {
  org_id: string;
  name: string;
  base: BuiltInRole;
  description: string | null;
  created_at: number;
  name_key: string;
}

export const RESOURCE_GROUP_USER = {
  group_id: text(),
  user_id: text(),
  role: text(),
  base_role: text<BuiltInRole>(),
  added_by: text<string | null>(),
  created_at: bigint(),
};

export type ResourceGroupUserRow = RowOf<typeof RESOURCE_GROUP_USER>;

export interface ResourceGroupRow {
  id: string;
  org_id: string;
  name: string;
  description: string | null;
  auto_join_role: string | null;
  managed_by: 'scim' | null;
  created_at: number;
  auto_join_scope: 'all' | 'read_plus';
  /** The name that is compared: no two groups of an organization have the same. */
  name_key: string;
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

export interface OrganizationTokenRow {
  org_id: string;
  token_id: string;
  status: 'pending' | 'approved' | 'denied' | 'revoked';
  decided_by: string | null;
  created_at: number;
  decided_at: number | null;
}
