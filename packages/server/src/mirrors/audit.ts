import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { fullName, type Repository } from '../repositories/index.ts';
import type { MirrorRow } from './tables.ts';

type Settings = Pick<MirrorRow, 'url' | 'username' | 'token' | 'interval_seconds'>;

/** The settings of a mirror before and after a change; undefined where there is no mirror. */
interface MirrorChange {
  readonly before: Settings | undefined;
  readonly after: Settings | undefined;
}

export type RecordMirrorChange = ReturnType<typeof createMirrorAudit>;

/** Records changes to the mirrors of organizations' repositories, without tokens; users have no audit log. */
export function createMirrorAudit(audit: AuditLog) {
  return async (tx: Executor, caller: Caller, repo: Repository, change: MirrorChange): Promise<void> => {
    if (repo.ownerKind !== 'org') return;
    await audit.record(tx, caller, {
      orgId: repo.owner_id,
      type: 'repo.update_settings',
      message: messageFor(`the ${repo.type} ${fullName(repo)}`, change),
      data: {
        repo: { _id: repo.id, type: repo.type, name: fullName(repo) },
        before: { mirror: shown(change.before) },
        after: { mirror: shown(change.after) },
      },
    });
  };
}

function messageFor(repo: string, { before, after }: MirrorChange): string {
  if (!after) return `Ended the mirroring of ${repo}`;
  return before ? `Changed the mirroring of ${repo}` : `Made ${repo} a mirror of ${after.url}`;
}

const shown = (settings: Settings | undefined) =>
  settings
    ? {
        ...{ url: settings.url, username: settings.username, hasToken: settings.token !== null },
        interval: settings.interval_seconds,
      }
    : null;
