declare module '../platform/database/tables.ts' {
  interface Tables {
    comments: CommentRow;
  }
}

export interface CommentRow {
  id: string;
  thread_type: 'paper' | 'post' | 'community_blog';
  thread_id: string;
  reply_to: string | null;
  author_id: string | null;
  created_at: number;
  data: string;
}
