declare module '../platform/database/tables.ts' {
  interface Tables {
    scim_users: ScimUserRow;
    scim_groups: ScimGroupRow;
    scim_group_members: { group_id: string; user_id: string };
    scim_links: ScimLinkRow;
    scim_roles: { org_id: string; user_id: string; own_role: string; given_role: string };
  }
}

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
}

export interface ScimLinkRow {
  id: string;
  org_id: string;
  group_id: string;
  /** Null: the role is one in the organization. */
  resource_group_id: string | null;
  role: string;
  created_at: number;
}
