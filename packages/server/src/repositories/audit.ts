import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';
import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { gatedOf } from './present.ts';
import { fullName, type Repository } from './store.ts';
import type { RepositoryRow } from './tables.ts';

type RepoAuditType = Extract<AuditEventType, `repo.${string}`>;

const about = (repo: Repository) => ({ _id: repo.id, type: repo.type, name: fullName(repo) });

const named = (repo: Repository) => `the ${repo.type} ${fullName(repo)}`;

/** What was done to repositories of organizations; those of users have no log. */
export function createRepoAudit(audit: AuditLog) {
  async function record(
    tx: Executor,
    caller: Caller,
    repo: Repository,
    { type, message, data = {} }: { type: RepoAuditType; message: string; data?: object },
  ): Promise<void> {
    if (repo.ownerKind !== 'org') return;
    await audit.record(tx, caller, { orgId: repo.owner_id, type, message, data: { repo: about(repo), ...data } });
  }

  return {
    /** `copyOf`: the repository that it is a copy of. */
    created: (tx: Executor, caller: Caller, repo: Repository, copyOf?: string) =>
      record(tx, caller, repo, {
        type: copyOf === undefined ? 'repo.create' : 'repo.duplication',
        message: copyOf === undefined ? `Created ${named(repo)}` : `Duplicated ${copyOf} as ${named(repo)}`,
        data: { private: repo.private === 1, ...(copyOf !== undefined && { from: copyOf }) },
      }),

    deleted: (tx: Executor, caller: Caller, repo: Repository) =>
      record(tx, caller, repo, { type: 'repo.delete', message: `Deleted ${named(repo)}` }),

    /** In the log of the organization that it left, and of the one that it came to. */
    async moved(tx: Executor, caller: Caller, before: Repository, after: Repository): Promise<void> {
      const data = { from: fullName(before), to: fullName(after) };
      const moved = { type: 'repo.move', message: `Moved ${named(before)} to ${fullName(after)}`, data } as const;
      await record(tx, caller, after, moved);
      if (before.owner_id !== after.owner_id) await record(tx, caller, before, moved);
    },

    settingsUpdated: (
      tx: Executor,
      caller: Caller,
      before: Repository,
      after: Repository,
      changed: Partial<RepositoryRow>,
    ) =>
      record(tx, caller, after, {
        type: 'repo.update_settings',
        message: `Updated the settings of ${named(after)}`,
        data: { before: settingsOf(before, changed), after: settingsOf(after, changed) },
      }),
  };
}

/** The settings that changed, as the settings endpoint names them. */
const settingsOf = (repo: Repository, changed: Partial<RepositoryRow>) => ({
  ...('private' in changed && { private: repo.private === 1 }),
  ...('discussions_disabled' in changed && { discussionsDisabled: repo.discussions_disabled === 1 }),
  ...('gated' in changed && { gated: gatedOf(repo) }),
});
