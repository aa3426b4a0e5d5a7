import type { THEMES } from '@moonbase/contract/repositories/collections';
import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    collections: CollectionRow;
    collection_items: CollectionItemRow;
    collection_upvotes: CollectionUpvoteRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const COLLECTIONS_BACKUP = {
  collections: 'kept',
  collection_items: 'kept',
  collection_upvotes: 'kept',
} satisfies TablePlan;

export interface CollectionRow {
  id: string;
  owner_id: string;
  title: string;
  /** In lower case; unique for an owner. */
  title_key: string;
  /** The title in the form of URLs; may be empty. */
  slug: string;
  description: string;
  theme: (typeof THEMES)[number];
  private: number;
  position: number;
  upvotes: number;
  /** In millionths, as `policy.ts` computes it; 0 without upvotes. */
  trending_score: number;
  created_at: number;
  updated_at: number;
  resource_group_id: string | null;
}

/** What an item shows: one of the ids is set. */
export interface ItemTarget {
  repo_id: string | null;
  paper_id: string | null;
  nested_id: string | null;
}

export interface CollectionItemRow extends ItemTarget {
  id: string;
  collection_id: string;
  position: number;
  note: string | null;
}

export interface CollectionUpvoteRow {
  collection_id: string;
  user_id: string;
  created_at: number;
}
