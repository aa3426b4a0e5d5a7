import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';

declare module '../platform/database/tables.ts' {
  interface Tables {
    audit_events: AuditEventRow;
    audit_chains: { org_id: string; seq: number; hash: string };
    audit_copies: { org_id: string; seq: number };
  }
}

export interface AuditEventRow {
  org_id: string;
  /** From 1, without a gap. */
  seq: number;
  id: string;
  created_at: number;
  type: AuditEventType;
  author_id: string | null;
  author_key: string | null;
  ip: string | null;
  token_id: string | null;
  /** Canonical JSON of what the hash is over. */
  body: string;
  context: string;
  prev_hash: string;
  hash: string;
}
