import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { CardReadRow } from './tables.ts';

/** Asks for a repository to be read, unless it is gone or, with `isNew`, has no more than its initial commit. */
export async function askToRead(
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

/** The repository that waits longest, due or not. */
export const firstToRead = (executor: ReadExecutor): Promise<CardReadRow | undefined> =>
  executor.selectFrom('card_reads').selectAll().orderBy('due_at').orderBy('repo_id').limit(1).executeTakeFirst();

/** Counts a reading before it begins, so that no other process begins it; returns how many there were, if it is due. */
export async function beginReading(
  tx: Executor,
  repoId: string,
  { now, againAt }: { readonly now: number; readonly againAt: number },
): Promise<number | undefined> {
  const row = await tx
    .updateTable('card_reads')
    .set((of) => ({ attempts: of('attempts', '+', 1), due_at: againAt }))
    .where('repo_id', '=', repoId)
    .where('due_at', '<=', now)
    .returning('attempts')
    .executeTakeFirst();
  return row && row.attempts - 1;
}

/** Takes a reading back that failed for a reason that will pass. */
export async function readLater(tx: Executor, repoId: string, dueAt: number): Promise<void> {
  await tx.updateTable('card_reads').set({ attempts: 0, due_at: dueAt }).where('repo_id', '=', repoId).execute();
}

export async function endReading(tx: Executor, repoId: string): Promise<void> {
  await tx.deleteFrom('card_reads').where('repo_id', '=', repoId).execute();
}
