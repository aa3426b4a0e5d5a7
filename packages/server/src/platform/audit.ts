import type { Executor } from './database/transaction.ts';
import type { Caller } from './http/authenticate.ts';

/** What an administrative action writes about itself, in its transaction. */
export interface AuditEntry {
  readonly orgId: string;
  readonly type: string;
  readonly message: string;
  readonly data?: unknown;
}

export interface Audit {
  record(tx: Executor, caller: Caller, entry: AuditEntry): Promise<void>;
}
