import type { NotificationReason } from '@moonbase/contract/notifications/notifications';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Principal } from '../../platform/http/authenticate.ts';
import { findReasons, type StoredReason } from './reason-store.ts';
import { isRepoType, MENTIONED, TAKES_PART } from './subject.ts';

/** Returns why a user has the notifications of some threads, in the order of the threads. */
export async function readReasons(
  executor: ReadExecutor,
  principal: Principal,
  threadIds: readonly string[],
): Promise<NotificationReason[]> {
  if (threadIds.length === 0) return [];
  const found = new Map((await findReasons(executor, principal, threadIds)).map((row) => [row.thread_id, row]));
  return [...new Set(threadIds)].flatMap((id) => {
    const row = found.get(id);
    return row ? [{ id, reason: reasonOf(row), watched: watchedOf(row), muted: row.thread_muted === 1 }] : [];
  });
}

function reasonOf({ thread_id, source_id, subject, involvement, wrote }: StoredReason): NotificationReason['reason'] {
  // The thread of the requests for access to a repository has the id of the repository.
  if (isRepoType(subject) && thread_id === source_id) return 'requests';
  if (involvement >= MENTIONED) return 'mentioned';
  if (involvement < TAKES_PART) return 'watching';
  return wrote === 1 ? 'participating' : 'author';
}

function watchedOf(row: StoredReason): NotificationReason['watched'] {
  const { source_id: repoId, repo_name, owner_id: ownerId, owner_name, owner_kind } = row;
  if (repo_name === null || ownerId === null || owner_name === null || owner_kind === null) return [];
  return [
    ...(row.repo_watched === 1 ? [{ id: repoId, type: 'repo' as const, name: `${owner_name}/${repo_name}` }] : []),
    ...(row.owner_watched === 1 ? [{ id: ownerId, type: owner_kind, name: owner_name }] : []),
  ];
}
