import type { ClaimStatus } from '@moonbase/contract/papers/claims';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { PaperClaimRow } from './tables.ts';

export type Claim = PaperClaimRow;

/** Returns when author entries were last claimed, for pending claims: entry id to time. */
export async function claimTimes(executor: ReadExecutor, paperIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('paper_claims')
    .select(['author_id', (eb) => eb.fn.max('created_at').as('at')])
    .where(whereIn(executor, 'paper_id', paperIds))
    .where('status', '=', 'claim_requested')
    .groupBy('author_id')
    .execute();
  return new Map(rows.map((row) => [row.author_id, row.at]));
}

export const findClaim = (executor: Executor, id: string): Promise<Claim | undefined> =>
  executor.selectFrom('paper_claims').selectAll().where('id', '=', id).executeTakeFirst();

export const hasClaimed = async (executor: Executor, authorId: string, userId: string): Promise<boolean> =>
  (await executor
    .selectFrom('paper_claims')
    .select('id')
    .where('author_id', '=', authorId)
    .where('user_id', '=', userId)
    .executeTakeFirst()) !== undefined;

export async function insertClaim(tx: Executor, claim: Claim): Promise<void> {
  await tx.insertInto('paper_claims').values(claim).execute();
}

export async function decideClaim(tx: Executor, id: string, status: ClaimStatus, now: number): Promise<void> {
  await tx.updateTable('paper_claims').set({ status, decided_at: now }).where('id', '=', id).execute();
}

/** Claims with display names, newest first. */
const claimsWithNames = (executor: ReadExecutor) =>
  executor
    .selectFrom('paper_claims')
    .innerJoin('papers', 'papers.id', 'paper_claims.paper_id')
    .innerJoin('paper_authors', 'paper_authors.id', 'paper_claims.author_id')
    .innerJoin('accounts', 'accounts.id', 'paper_claims.user_id')
    .leftJoin('accounts as requesters', 'requesters.id', 'paper_claims.requested_by')
    .selectAll('paper_claims')
    .select([
      'papers.arxiv_id as arxivId',
      'paper_authors.name as authorName',
      'accounts.name as userName',
      'requesters.name as requesterName',
    ])
    .orderBy('paper_claims.id', 'desc');

export type NamedClaim = Awaited<ReturnType<ReturnType<typeof claimsWithNames>['execute']>>[number];

export const findNamedClaim = (executor: Executor, id: string): Promise<NamedClaim> =>
  claimsWithNames(executor).where('paper_claims.id', '=', id).executeTakeFirstOrThrow();

export interface ClaimFilter {
  readonly userId?: string | undefined;
  readonly status?: ClaimStatus | undefined;
  /** The id of the last claim on the previous page. */
  readonly before?: string | undefined;
}

export function listClaims(
  executor: ReadExecutor,
  { userId, status, before }: ClaimFilter,
  limit: number,
): Promise<NamedClaim[]> {
  let query = claimsWithNames(executor);
  if (userId !== undefined) query = query.where('paper_claims.user_id', '=', userId);
  if (status !== undefined) query = query.where('paper_claims.status', '=', status);
  if (before !== undefined) query = query.where('paper_claims.id', '<', before);
  return query.limit(limit).execute();
}
