import type { RepoType } from '@moonbase/contract/primitives';

declare module '../platform/database/tables.ts' {
  interface Tables {
    repositories: RepositoryRow;
    refs: { repo_id: string; ref: string; sha: string };
  }
}

export interface RepositoryRow {
  id: string;
  type: RepoType;
  owner_id: string;
  name: string;
  name_key: string;
  private: number;
  created_by: string | null;
  created_at: number;
  head_sha: string | null;
  sdk: string | null;
  gated: string | null;
  discussions_disabled: number;
  discussion_count: number;
  last_modified: number;
  resource_group_id: string | null;
  resource_group_added_by: string | null;
}
