import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';
import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { fullName, type Repository, recordForRepo, recordRepoEvent } from '../repositories/index.ts';

/** A change to the settings of a Space, without any value. */
interface SpaceChange {
  readonly type: Extract<AuditEventType, `repo.${string}` | `spaces.${string}`>;
  /** What was done, before the name of the Space. */
  readonly done: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type SpaceRecords = ReturnType<typeof createSpaceRecords>;

/** Records changes to the settings of Spaces. */
export function createSpaceRecords({ events, audit }: { readonly events: Events; readonly audit: AuditLog }) {
  const audited = (tx: Executor, caller: Caller, repo: Repository, { type, done, data }: SpaceChange): Promise<void> =>
    recordForRepo(audit, tx, caller, repo, { type, message: `${done} the space ${fullName(repo)}`, data });

  return {
    /** Records what a new Space begins with, beside its creation. */
    audited,

    /** Records a change with its event, the one of settings (W§3.1): it says that something changed, not what. */
    async changed(tx: Executor, caller: Caller, repo: Repository, change: SpaceChange): Promise<void> {
      await recordRepoEvent(events, tx, caller, repo, {
        scope: 'repo.config',
        action: 'update',
        extra: { updatedConfig: {} },
      });
      await audited(tx, caller, repo, change);
    },
  };
}
