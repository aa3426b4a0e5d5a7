import type { TablePlan } from '../platform/backup/table-plan.ts';
import { type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    scim_users: ScimUserRow;
    scim_groups: ScimGroupRow;
    scim_group_members: { group_id: string; user_id: string };
    scim_links: ScimLinkRow;
    scim_roles: RowOf<typeof SCIM_ROLE>;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const SCIM_BACKUP = {
  scim_users: 'kept',
  scim_groups: 'kept',
  scim_group_members: 'kept',
  scim_links: 'kept',
  scim_roles: 'kept',
} satisfies TablePlan;

/** The role that a group gave a member in an organization, and the member's role before. */
export const SCIM_ROLE = { org_id: text(), user_id: text(), own_role: text(), given_role: text() };

export interface ScimUserRow {
  org_id: string;
  user_id: string;
  owned: number;
  user_name: string;
  user_name_key: string;
  external_id: string | null;
  given_name: string | null;
  family_name: string | null;
  formatted: string | null;
  display_name: string | null;
  email: string | null;
  email_key: string | null;
  email_type: 'work' | null;
  email_primary: number | null;
  /** JSON. */
  taken: string | null;
  created_at: number;
  updated_at: number;
}

export interface ScimGroupRow {
  id: string;
  org_id: string;
  display_name: string;
  display_key: string;
  external_id: string | null;
  version: number;
  created_at: number;
  updated_at: number;
  /** Set while members of a deleted group remain to be deleted. */
  deleted_at: number | null;
}

export interface ScimLinkRow {
  id: string;
  org_id: string;
  group_id: string;
  /** Null: the role applies to the organization. */
  resource_group_id: string | null;
  role: string;
  created_at: number;
}
