import type { AccessStatus } from '@moonbase/contract/repositories/access-requests';
import { insertNew } from '../../platform/database/bulk.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { ACCESS_REQUEST, type AccessRequestRow } from '../tables.ts';

export const findRequest = (
  executor: ReadExecutor,
  repoId: string,
  userId: string,
): Promise<AccessRequestRow | undefined> =>
  executor
    .selectFrom('access_requests')
    .selectAll()
    .where('repo_id', '=', repoId)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/** Returns the requests for a repository that have some of the ids or are of some of the users. */
export const requestsAmong = (
  executor: ReadExecutor,
  repoId: string,
  { ids, userIds }: { readonly ids: readonly string[]; readonly userIds: readonly string[] },
): Promise<AccessRequestRow[]> =>
  executor
    .selectFrom('access_requests')
    .selectAll()
    .where('repo_id', '=', repoId)
    .where((eb) => eb.or([whereIn(executor, 'id', ids), whereIn(executor, 'user_id', userIds)]))
    .execute();

export const insertRequest = (tx: Executor, row: AccessRequestRow): Promise<void> =>
  insertNew(tx, 'access_requests', ACCESS_REQUEST, [row]);

type Review = Pick<AccessRequestRow, 'status' | 'reviewed_at' | 'reviewed_by' | 'rejection_reason'>;

export async function updateRequests(tx: Executor, ids: readonly string[], review: Review): Promise<void> {
  await tx
    .updateTable('access_requests')
    .set(review)
    .where(whereIn(tx, 'id', ids))
    .execute();
}

export async function deleteRequest(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('access_requests').where('id', '=', id).execute();
}

export interface RequestsPage {
  /** The id of the only request to list. */
  readonly id?: string | undefined;
  /** Undefined: of any status. */
  readonly status?: AccessStatus | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Returns a page of the requests for a repository with their users, the latest first. */
export async function listRequests(
  executor: ReadExecutor,
  repoId: string,
  { id, status, after, before, limit }: RequestsPage,
) {
  const backwards = before !== undefined && after === undefined;
  let query = executor
    .selectFrom('access_requests')
    .innerJoin('accounts', 'accounts.id', 'access_requests.user_id')
    .leftJoin('accounts as reviewers', 'reviewers.id', 'access_requests.reviewed_by')
    .selectAll('access_requests')
    .select(['accounts.name', 'accounts.fullname', 'accounts.avatar_url', 'accounts.pro', 'accounts.email'])
    .select('reviewers.name as reviewer')
    .where('access_requests.repo_id', '=', repoId)
    .orderBy('access_requests.id', backwards ? 'asc' : 'desc')
    .limit(limit);
  if (id !== undefined) query = query.where('access_requests.id', '=', id);
  if (status !== undefined) query = query.where('access_requests.status', '=', status);
  if (after !== undefined) query = query.where('access_requests.id', '<', after);
  if (before !== undefined) query = query.where('access_requests.id', '>', before);
  const rows = await query.execute();
  return backwards ? rows.reverse() : rows;
}

export type ListedRequest = Awaited<ReturnType<typeof listRequests>>[number];

/** Returns the number of requests for a repository, of one status or of any. */
export async function countRequests(executor: ReadExecutor, repoId: string, status?: AccessStatus): Promise<number> {
  const requests = executor
    .selectFrom('access_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('repo_id', '=', repoId);
  const counted = status === undefined ? requests : requests.where('status', '=', status);
  return Number((await counted.executeTakeFirstOrThrow()).count);
}
