import type { AuditEventType } from '@moonbase/contract/audit-log/event-types';
import type { AccessStatus } from '@moonbase/contract/repositories/access-requests';
import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { gatedOf } from './present.ts';
import { fullName, type Repository } from './store.ts';
import type { RepositoryRow } from './tables.ts';

/** An entry about a repository: `data` stands beside the repository itself. */
interface RepoEntry {
  readonly type: Extract<AuditEventType, `repo.${string}` | `spaces.${string}`>;
  readonly message: string;
  readonly data?: object | undefined;
}

/** Records a change to a repository of an organization; users have no audit log. */
export async function recordForRepo(
  audit: AuditLog,
  tx: Executor,
  caller: Caller,
  repo: Repository,
  { type, message, data }: RepoEntry,
): Promise<void> {
  if (repo.ownerKind !== 'org') return;
  const about = { _id: repo.id, type: repo.type, name: fullName(repo) };
  await audit.record(tx, caller, { orgId: repo.owner_id, type, message, data: { repo: about, ...data } });
}

const nameOf = (repo: Repository) => `the ${repo.type} ${fullName(repo)}`;

/** Records the changes to repositories. */
export function createRepoAudit(audit: AuditLog) {
  const record = (tx: Executor, caller: Caller, repo: Repository, entry: RepoEntry): Promise<void> =>
    recordForRepo(audit, tx, caller, repo, entry);

  return {
    /** `copyOf` is the full name of the repository that was duplicated. */
    created: (tx: Executor, caller: Caller, repo: Repository, copyOf?: string) =>
      record(tx, caller, repo, {
        type: copyOf === undefined ? 'repo.create' : 'repo.duplication',
        message: copyOf === undefined ? `Created ${nameOf(repo)}` : `Duplicated ${copyOf} as ${nameOf(repo)}`,
        data: { private: repo.private === 1, ...(copyOf !== undefined && { from: copyOf }) },
      }),

    /** Records who was let in or kept out; the names of users and the new status. */
    accessHandled: (tx: Executor, caller: Caller, repo: Repository, users: readonly string[], status: AccessStatus) =>
      record(tx, caller, repo, {
        type: 'repo.update_settings',
        message: `Set ${users.length === 1 ? `the access request of ${users[0]}` : `${users.length} access requests`} for ${nameOf(repo)} to ${status}`,
        data: { users, status },
      }),

    deleted: (tx: Executor, caller: Caller, repo: Repository) =>
      record(tx, caller, repo, { type: 'repo.delete', message: `Deleted ${nameOf(repo)}` }),

    /** Records a move in the log of the new owner and, if the owner changed, in that of the previous one. */
    async moved(tx: Executor, caller: Caller, before: Repository, after: Repository): Promise<void> {
      const data = { from: fullName(before), to: fullName(after) };
      const moved = { type: 'repo.move', message: `Moved ${nameOf(before)} to ${fullName(after)}`, data } as const;
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
        message: `Updated the settings of ${nameOf(after)}`,
        data: { before: settingsOf(before, changed), after: settingsOf(after, changed) },
      }),
  };
}

export type RepoAudit = ReturnType<typeof createRepoAudit>;

/** Returns the changed settings under the names that the settings endpoint uses. */
const settingsOf = (repo: Repository, changed: Partial<RepositoryRow>) => ({
  ...('private' in changed && { private: repo.private === 1 }),
  ...('discussions_disabled' in changed && { discussionsDisabled: repo.discussions_disabled === 1 }),
  ...('gated' in changed && { gated: gatedOf(repo) }),
  ...('gate_for_members' in changed && { orgMembersGated: repo.gate_for_members === 1 }),
  ...('gate_email' in changed && { gatedNotificationsEmail: repo.gate_email }),
  ...('gate_mails' in changed && { gatedNotificationsMode: repo.gate_mails }),
});
