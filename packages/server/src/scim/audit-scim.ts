import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Actor } from '../platform/http/actor.ts';

export type AuditScim = ReturnType<typeof createAuditScim>;

/** Creates the function that records changes by an identity provider in the audit log. */
export const createAuditScim =
  ({ audit }: { readonly audit: AuditLog }) =>
  (tx: Executor, actor: Actor, orgId: string, message: string, data: object): Promise<void> =>
    audit.record(tx, actor, { orgId, type: 'org.update_settings', message, data });
