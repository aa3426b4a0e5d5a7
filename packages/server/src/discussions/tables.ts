declare module '../platform/database/tables.ts' {
  interface Tables {
    discussions: DiscussionRow;
    discussion_events: DiscussionEventRow;
  }
}

export interface DiscussionRow {
  id: string;
  repo_id: string;
  num: number;
  title: string;
  status: 'draft' | 'open' | 'closed' | 'merged';
  is_pull_request: number;
  author_id: string | null;
  created_at: number;
  merge_commit_id: string | null;
  pinned: number;
  title_key: string;
  comment_count: number;
  active_at: number;
  head_sha: string | null;
}

export interface DiscussionEventRow {
  id: string;
  discussion_id: string;
  type: 'comment' | 'status-change' | 'title-change' | 'pinning-change' | 'ref-deleted';
  author_id: string | null;
  created_at: number;
  data: string;
}
