import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, integer, type RowOf, text } from '../platform/database/columns.ts';

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

/** The backup plan of these tables; a table follows those that it references. */
export const ACCESS_BACKUP = {
  memberships: 'kept',
  custom_roles: 'kept',
  resource_groups: 'kept',
  resource_group_users: 'kept',
  organization_settings: 'kept',
  organization_tokens: 'kept',
} satisfies TablePlan;

export const MEMBERSHIP = {
  org_id: text(),
  user_id: text(),
  /** The name of the role, built-in or custom. */
  role: text(),
  /** The base role: the built-in role that decides access. */
  base_role: text<BuiltInRole>(),
  created_at: bigint(),
  search_key: text(),
  /** Whether the identity provider of the organization manages the member (SCIM). */
  in_scim: integer(),
};

export type MembershipRow = RowOf<typeof MEMBERSHIP>;

interface MembershipTable extends Omit<MembershipRow, 'search_key' | 'in_scim'> {
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
  /** 1: the mapping of an OpenID provider gave the role, at a sign-in. */
  by_sign_in: integer(),
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
  /** The normalized name, unique among the groups of an organization. */
  name_key: string;
}

export interface OrganizationSettingsRow {
  org_id: string;
  members_private: number;
  /** The lowest role that may create resource groups. */
  group_creators: 'admin' | 'write' | 'contributor' | 'read';
  /** JSON. */
  join_domains: string;
  token_policy: 'any' | 'fine-grained' | 'approval';
  deleted_at: number | null;
  /** JSON. */
  verified_domains: Generated<string>;
  /** The maximum lifetime of members' tokens; null: no limit. */
  token_max_days: Generated<number | null>;
  /** The visibility of new repositories without one; null: public. */
  default_repo_visibility: Generated<'public' | 'private' | null>;
}

export interface OrganizationTokenRow {
  org_id: string;
  token_id: string;
  status: 'pending' | 'approved' | 'denied' | 'revoked';
  decided_by: string | null;
  created_at: number;
  decided_at: number | null;
}
