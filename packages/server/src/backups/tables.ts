import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    backups: BackupRow;
  }
}

/** The backup plan of these tables. */
export const BACKUPS_BACKUP = {
  backups: 'left out: which backups this hub may delete; a restored hub deletes none that are older than itself',
} satisfies TablePlan;

export interface BackupRow {
  id: string;
  place: string;
  name: string;
  state: 'writing' | 'whole' | 'failed';
  started_at: number;
  ended_at: number | null;
  /** The size of the file with the rows of the database; null unless it is whole. */
  bytes: number | null;
  /** Null if the process died before it could tell. */
  duration_ms: number | null;
  /** The files of repositories that were missing or damaged. */
  faulty: number | null;
  error: string | null;
}
