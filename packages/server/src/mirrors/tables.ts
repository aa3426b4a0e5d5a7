import type { TablePlan } from '../platform/backup/table-plan.ts';
import type { SealedColumns } from '../platform/keys/sealed-store.ts';
import type { JsonText } from '../platform/stored-form.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    mirrors: MirrorRow;
  }
}

/** The backup plan of these tables. */
export const MIRRORS_BACKUP = { mirrors: 'kept' } satisfies TablePlan;

export const MIRRORS_SEALED: SealedColumns = { table: 'mirrors', columns: ['token'] };

/** A ref of the remote that the hub refuses. */
export interface RefusedRef {
  readonly ref: string;
  readonly reason: string;
  /** The object that the ref led to when it was refused. */
  readonly id: string;
}

export interface MirrorRow {
  /** The id of the repository. */
  id: string;
  url: string;
  username: string;
  /** The token, sealed together with the URL that it is for. */
  token: string | null;
  interval_seconds: number;
  /** The user who set the mirror up; null once deleted. */
  user_id: string | null;
  /** The access token by which the mirror was set up; null for a browser session. */
  token_id: string | null;
  created_at: number;
  /** Grows with each change of the settings. */
  version: number;
  due_at: number;
  /** The failed syncs since the last successful one. */
  failures: number;
  /** The syncs that have begun since the last one that ended. */
  unfinished: number;
  /** 1 if the last sync found that the mirror may no longer change the repository. */
  stopped: number;
  error: string | null;
  refused: JsonText<readonly RefusedRef[]>;
  progress: string | null;
  synced_at: number | null;
  attempted_at: number | null;
  duration_ms: number | null;
}
