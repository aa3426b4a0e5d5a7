import type { JobNamespace } from '../../access/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';

const MESSAGES = {
  create: 'Created',
  delete: 'Deleted',
  resume: 'Resumed',
  suspend: 'Suspended',
  run: 'Ran',
  update_schedule: 'Changed the schedule of',
} as const;

/** Records changes of organizations' scheduled jobs; users have no audit log. */
export function createScheduleAudit(audit: AuditLog) {
  return async (
    tx: Executor,
    caller: Caller,
    { account }: JobNamespace,
    type: keyof typeof MESSAGES,
    id: string,
  ): Promise<void> => {
    if (account.kind !== 'org') return;
    const message = `${MESSAGES[type]} the scheduled job ${id}`;
    await audit.record(tx, caller, { orgId: account.id, type: `scheduled_job.${type}`, message, data: { jobId: id } });
  };
}
