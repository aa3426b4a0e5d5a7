import type { AuditEventType, SiteEventType } from '@moonbase/contract/audit-log/event-types';
import type { TablePlan } from '../platform/backup/table-plan.ts';
import { bigint, type RowOf, text } from '../platform/database/columns.ts';

declare module '../platform/database/tables.ts' {
  interface Tables {
    audit_events: AuditEventRow;
    audit_chains: { org_id: string; seq: number; hash: string };
    audit_copies: { org_id: string; seq: number };
  }
}

/** The backup plan of these tables; a table follows those that it references. */
export const AUDIT_LOG_BACKUP = {
  audit_events: 'kept',
  audit_chains: 'kept',
  audit_copies: 'kept',
} satisfies TablePlan;

export const AUDIT_EVENT = {
  /** The organization, or `site` for what happened outside of organizations. */
  org_id: text(),
  /** Numbered from 1 without gaps. */
  seq: bigint(),
  id: text(),
  created_at: bigint(),
  type: text<AuditEventType | SiteEventType>(),
  author_id: text<string | null>(),
  author_key: text<string | null>(),
  ip: text<string | null>(),
  token_id: text<string | null>(),
  /** Canonical JSON of the hashed parts. */
  body: text(),
  context: text(),
  prev_hash: text(),
  hash: text(),
};

export type AuditEventRow = RowOf<typeof AUDIT_EVENT>;
