import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { readable, repoColumns } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { handlesRequests, repoUrls } from '../../repositories/index.ts';

const flag = (condition: RawBuilder<SqlBool>) => sql<number>`case when ${condition} then 1 else 0 end`;

/** Returns a gated repository as the reader of a mail stands to it; undefined where it is gone or not gated. */
export async function findGate(executor: Executor, repoId: string, readerId: string) {
  const repo = await executor
    .selectFrom('repositories')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select(['repositories.type', 'repositories.name', 'accounts.name as owner', 'repositories.gate_email as email'])
    .select(flag(readable(repoColumns, sql.val(readerId))).as('reads'))
    .select(flag(handlesRequests(sql.ref('repositories.owner_id'), sql.val(readerId))).as('handles'))
    .where('repositories.id', '=', repoId)
    .where('repositories.gated', 'is not', null)
    .executeTakeFirst();
  if (!repo) return undefined;
  const name = `${repo.owner}/${repo.name}`;
  return {
    name,
    path: repoUrls('', repo.type, name).web.slice(1),
    email: repo.email,
    reads: Number(repo.reads) === 1,
    isHandler: Number(repo.handles) === 1,
  };
}

/** Returns an access request, undefined where it was withdrawn. */
export const findAccessRequest = (executor: Executor, requestId: string) =>
  executor
    .selectFrom('access_requests')
    .select(['status', 'user_id as userId', 'rejection_reason as reason'])
    .where('id', '=', requestId)
    .executeTakeFirst();

/** Returns the names of the users whose requests for a repository were made since a time and wait. */
export async function pendingSince(
  executor: Executor,
  { repoId, since }: { readonly repoId: string; readonly since: number },
  limit: number,
): Promise<string[]> {
  const rows = await executor
    .selectFrom('access_requests')
    .innerJoin('accounts', 'accounts.id', 'access_requests.user_id')
    .select('accounts.name')
    .where('access_requests.repo_id', '=', repoId)
    .where('access_requests.status', '=', 'pending')
    .where('access_requests.requested_at', '>=', since)
    .orderBy('access_requests.id')
    .limit(limit)
    .execute();
  return rows.map(({ name }) => name);
}

/** Returns the number of requests for a repository that wait. */
export async function countPending(executor: Executor, repoId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('access_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('repo_id', '=', repoId)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(count);
}
