import { type AuditLog, recordForSite } from '../audit-log/index.ts';
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

/** Records changes to mirrors, without tokens: in the log of the organization, or in that of the hub for users' repositories. */
export const createMirrorAudit =
  (audit: AuditLog) =>
  (tx: Executor, caller: Caller, repo: Repository, { before, after }: MirrorChange): Promise<void> => {
    const message = messageFor(`the ${repo.type} ${fullName(repo)}`, { before, after });
    const data = { before: { mirror: shown(before) }, after: { mirror: shown(after) } };
    if (repo.ownerKind === 'org')
      return recordForRepo(audit, tx, caller, repo, { type: 'repo.update_settings', message, data });
    const type = before === undefined ? 'mirror.create' : after === undefined ? 'mirror.delete' : 'mirror.update';
    const about = { _id: repo.id, type: repo.type, name: fullName(repo) };
    return recordForSite(audit, tx, caller, { type, message, data: { repo: about, ...data } });
  };

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
