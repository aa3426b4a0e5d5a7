import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    watches: WatchRow;
    mutes: MuteRow;
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const WATCHING_BACKUP = {
  watches: 'kept',
  mutes: 'kept',
} satisfies TablePlan;

export const WATCH = {
  user_id: text(),
  target_type: text<'user' | 'org' | 'repo'>(),
  target_id: text(),
  created_at: bigint(),
};

export type WatchRow = RowOf<typeof WATCH>;

export const MUTE = { ...WATCH, target_type: text<'repo' | 'discussion'>() };

export type MuteRow = RowOf<typeof MUTE>;
