import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { CardReadRow } from './tables.ts';

/**
 * Requests a reading of a repository. Skips deleted repositories and, with `isNew`, those that have only their root
 * commit.
 */
export async function requestReading(
  tx: Executor,
  repoId: string,
  { now, isNew = false }: { readonly now: number; readonly isNew?: boolean },
): Promise<void> {
  await tx
    .insertInto('card_reads')
    .columns(['repo_id', 'due_at', 'attempts'])
    .expression((of) =>
      of
        .selectFrom('repositories')
        .select(['id', sql<number>`${now}`.as('due_at'), sql<number>`0`.as('attempts')])
        .where('id', '=', repoId)
        .$if(isNew, (repos) =>
          repos
            .where('head_sha', 'is not', null)
            .where((is) =>
              is.not(
                is.exists(
                  is
                    .selectFrom('root_commits')
                    .select('sha')
                    .whereRef('root_commits.repo_id', '=', 'repositories.id')
                    .whereRef('root_commits.sha', '=', 'repositories.head_sha'),
                ),
              ),
            ),
        ),
    )
    .onConflict((conflict) => conflict.column('repo_id').doUpdateSet({ due_at: now, attempts: 0 }))
    .execute();
}

/** Returns the repository whose reading is due first, even if it is not due yet. */
export const firstDue = (executor: ReadExecutor): Promise<CardReadRow | undefined> =>
  executor.selectFrom('card_reads').selectAll().orderBy('due_at').orderBy('repo_id').limit(1).executeTakeFirst();

/**
 * Counts an attempt before it begins and postpones the next one, so that no other process starts. Returns the number of
 * earlier attempts, or undefined if the reading is not due.
 */
export async function beginReading(
  tx: Executor,
  repoId: string,
  { now, retryAt }: { readonly now: number; readonly retryAt: number },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('card_reads')
    .set((of) => ({ attempts: of('attempts', '+', 1), due_at: retryAt }))
    .where('repo_id', '=', repoId)
    .where('due_at', '<=', now)
    .returning('attempts')
    .executeTakeFirst();
  return row && row.attempts - 1;
}

/** Postpones a reading that failed for a temporary reason, and forgets its attempts. */
export async function postponeReading(tx: Executor, repoId: string, dueAt: number): Promise<void> {
  await tx.updateTable('card_reads').set({ attempts: 0, due_at: dueAt }).where('repo_id', '=', repoId).execute();
}

export async function endReading(tx: Executor, repoId: string): Promise<void> {
  await tx.deleteFrom('card_reads').where('repo_id', '=', repoId).execute();
}
