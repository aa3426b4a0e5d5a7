import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    discussions: DiscussionRow;
    discussion_events: DiscussionEventRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const DISCUSSIONS_BACKUP = {
  discussions: 'kept',
  discussion_events: 'kept',
} satisfies TablePlan;

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
  /** What the events count towards the maximum of a thread. */
  event_bytes: number;
  /** The commit that `refs/pr/N` pointed to when it was deleted. */
  head_sha: string | null;
  /** The full ref of the branch that a pull request is to be merged into. */
  base_ref: string;
}

export interface DiscussionEventRow {
  id: string;
  discussion_id: string;
  type: 'comment' | 'commit' | 'status-change' | 'title-change' | 'pinning-change' | 'ref-deleted';
  author_id: string | null;
  created_at: number;
  data: string;
}
