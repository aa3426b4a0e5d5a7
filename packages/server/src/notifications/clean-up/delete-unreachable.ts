import { type Executor, isPostgres } from '../../platform/database/transaction.ts';
import { AGAIN } from '../../platform/events/reaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import {
  existingUsers,
  findRepoFacts,
  pageOfRepo,
  type RepoScope,
  requestKeys,
  unreachableKeys,
} from './access-store.ts';
import { deleteLeftovers } from './delete-leftovers.ts';
import { deleteNotifications } from './delete-notifications.ts';
import { PAGE } from './page-size.ts';

/*
 * Deletes notifications about repositories that their users may no longer read, or no longer decide about: a page per call, which returns where the next
 * page begins, or undefined at the end.
 */

/** Deletes the notifications about a private repository of users without a grant, among a page of all about it. */
export async function deleteUnreachableOfRepo(
  tx: Executor,
  inboxes: Inboxes,
  repoId: string,
  after: string,
): Promise<string | undefined> {
  const repo = await findRepoFacts(tx, repoId);
  if (!repo) return deleteLeftovers(tx, inboxes, 'source_id', repoId);
  if (repo.private === 0) return undefined;
  const [user_id = '', thread_id = '', updatedAt = '0'] = after.split(' ');
  const { ownerId, groupId } = repo;
  const position = { user_id, thread_id, updated_at: Number(updatedAt) };
  const page = await pageOfRepo(tx, { id: repoId, ownerId, groupId }, position);
  const unreachable = page.filter(({ readable }) => readable === 0);
  await deleteNotifications(tx, inboxes, unreachable);
  const last = page.at(-1);
  return page.length < PAGE || !last ? undefined : `${last.user_id} ${last.thread_id} ${last.updated_at}`;
}

/** Deletes the notifications about requests for a repository of those who do not decide about them. */
export const deleteUnhandledRequests = async (tx: Executor, inboxes: Inboxes, repoId: string): Promise<void> =>
  deleteNotifications(tx, inboxes, await requestKeys(tx, repoId));

/** Deletes a page of users' notifications of what `unreachableKeys` finds. */
export async function deleteUnreachableOfUsers(
  tx: Executor,
  inboxes: Inboxes,
  userIds: readonly string[],
  scope: RepoScope,
): Promise<string | undefined> {
  // Locks first: notifications that are being inserted now are committed when these rows are read, or not inserted.
  if (isPostgres(tx)) await inboxes.lock(tx, await existingUsers(tx, userIds));
  const keys = await unreachableKeys(tx, userIds, scope);
  await deleteNotifications(tx, inboxes, keys);
  return keys.length === PAGE ? AGAIN : undefined;
}
