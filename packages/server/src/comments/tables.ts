import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    comments: CommentRow;
    comment_threads: CommentThreadRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const COMMENTS_BACKUP = {
  comments: 'kept',
  comment_threads: 'kept',
} satisfies TablePlan;

export interface CommentRow {
  id: string;
  thread_type: 'paper' | 'post' | 'community_blog';
  thread_id: string;
  reply_to: string | null;
  author_id: string | null;
  created_at: number;
  data: string;
}

/** What the comments of a thread count towards its maximum. */
export interface CommentThreadRow {
  thread_id: string;
  bytes: number;
}
