import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    comments: CommentRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const COMMENTS_BACKUP = {
  comments: 'kept',
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
