import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    likes: LikeRow;
  }
}

/** The backup plan of this table; it follows those that it references. */
export const LIKES_BACKUP = { likes: 'kept' } satisfies TablePlan;

/** The ids are in the order of time. */
export const LIKE = { id: text(), repo_id: text(), user_id: text(), created_at: bigint() };

export type LikeRow = RowOf<typeof LIKE>;
