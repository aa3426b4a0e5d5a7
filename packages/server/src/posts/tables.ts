import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    posts: PostRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const POSTS_BACKUP = {
  posts: 'kept',
} satisfies TablePlan;

export interface PostRow {
  id: string;
  kind: 'post' | 'article';
  author_id: string;
  slug: string;
  title: string;
  canonical: number;
  created_at: number;
}
