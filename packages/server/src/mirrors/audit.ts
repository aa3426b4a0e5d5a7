import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { fullName, type Repository, recordForRepo } from '../repositories/index.ts';
import type { MirrorRow } from './tables.ts';

type Settings = Pick<MirrorRow, 'url' | 'username' | 'token' | 'interval_seconds'>;

/** The settings of a mirror before and after a change; undefined where there is no mirror. */
interface MirrorChange {
  readonly before: Settings | undefined;
  readonly after: Settings | undefined;
}

export type RecordMirrorChange = ReturnType<typeof createMirrorAudit>;

/** Records changes to the mirrors of organizations' repositories, without tokens. */
export const createMirrorAudit =
  (audit: AuditLog) =>
  (tx: Executor, caller: Caller, repo: Repository, change: MirrorChange): Promise<void> =>
    recordForRepo(audit, tx, caller, repo, {
      type: 'repo.update_settings',
      message: messageFor(`the ${repo.type} ${fullName(repo)}`, change),
      data: { before: { mirror: shown(change.before) }, after: { mirror: shown(change.after) } },
    });

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
