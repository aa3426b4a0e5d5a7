declare module '../platform/database/tables.ts' {
  interface Tables {
    posts: PostRow;
  }
}

export interface PostRow {
  id: string;
  kind: 'post' | 'article';
  author_id: string;
  slug: string;
  title: string;
  canonical: number;
  created_at: number;
}
