import type { SiteEventType } from '@moonbase/contract/audit-log/event-types';
import type { Executor } from '../platform/database/transaction.ts';
import type { AuditAuthor } from './authors.ts';
import type { AuditLog } from './record.ts';

/** Takes the place of an organization's id for the chain of the hub itself; ids are hexadecimal. */
export const SITE = 'site';

/** An event outside of organizations. */
export interface SiteEntry {
  readonly type: SiteEventType;
  /** A sentence without its subject, the author: `Disabled the user eve`. */
  readonly message: string;
  /** JSON data, without secrets. */
  readonly data?: unknown;
}

/** Records what a site administrator, the operator or a user did outside of organizations. */
export const recordForSite = (audit: AuditLog, tx: Executor, author: AuditAuthor, entry: SiteEntry): Promise<void> =>
  audit.record(tx, author, { orgId: SITE, ...entry });
