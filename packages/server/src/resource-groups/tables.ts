declare module '../platform/database/tables.ts' {
  interface Tables {
    resource_groups: ResourceGroupRow;
  }
}

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
