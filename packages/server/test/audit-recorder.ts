import { type AuditEntry, type AuditLog, SITE } from '../src/audit-log/index.ts';
import { afterCommit } from '../src/platform/database/transaction.ts';

/** Records what services write to the audit logs of organizations. */
export interface AuditRecorder extends AuditLog {
  /** Returns type and author of each event since the last call. */
  taken(): string[];
  readonly entries: AuditEntry[];
}

export function createAuditRecorder(): AuditRecorder {
  const entries: (AuditEntry & { readonly by: string })[] = [];
  let from = 0;
  return {
    entries,
    async record(tx, caller, entry) {
      if (entry.orgId === SITE) return;
      afterCommit(tx, () => entries.push({ ...entry, by: caller.principal.userName }));
    },
    taken() {
      const now = entries.slice(from).map(({ type, by }) => `${type} by ${by}`);
      from = entries.length;
      return now;
    },
  };
}
