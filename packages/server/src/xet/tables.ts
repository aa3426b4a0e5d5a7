import type { TablePlan } from '../platform/backup/table-plan.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    xorbs: XorbRow;
  }
}

/** Clients refer to xorbs for weeks, so a restored hub needs them. */
export const XET_BACKUP = { xorbs: 'kept' } satisfies TablePlan;

export interface XorbRow {
  owner_id: string;
  /** The hash of the chunks, in the form of URLs. */
  hash: string;
  /** The blob: the chunks, and the index behind them. */
  sha256: string;
  /** The size of the blob. */
  size: number;
  chunks: number;
  /** When a file was last made of the xorb; null: never. */
  referenced_at: number | null;
}
