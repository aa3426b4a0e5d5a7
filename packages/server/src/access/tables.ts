import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Generated } from 'kysely';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    memberships: MembershipTable;
    custom_roles: CustomRoleRow;
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
