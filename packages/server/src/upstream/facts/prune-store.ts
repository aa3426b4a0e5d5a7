import { sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { addToTotal } from '../total-store.ts';
import type { CommitKey } from './facts-store.ts';

/** Returns a commit that was last used before a time. */
export const unusedCommit = (tx: Executor, usedBefore: number): Promise<CommitKey | undefined> =>
  tx
    .selectFrom('upstream_commits')
    .select(['repo_id', 'commit_id'])
    .where('used_at', '<', usedBefore)
    .orderBy('used_at')
    .limit(1)
    .executeTakeFirst();

/** Deletes some of what is known of a commit, and the commit with the last of it. */
export async function deleteSomeFacts(tx: Executor, { repo_id, commit_id }: CommitKey, limit: number): Promise<void> {
  const entries = await tx
    .deleteFrom('upstream_entries')
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .where('path', 'in', (of) =>
      of
        .selectFrom('upstream_entries')
        .select('path')
        .where('repo_id', '=', repo_id)
        .where('commit_id', '=', commit_id)
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  if (Number(entries.numDeletedRows) === limit) return;
  const answers = await tx
    .deleteFrom('upstream_answers')
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .where('question', 'in', (of) =>
      of
        .selectFrom('upstream_answers')
        .select('question')
        .where('repo_id', '=', repo_id)
        .where('commit_id', '=', commit_id)
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  if (Number(answers.numDeletedRows) === limit) return;
  await tx.deleteFrom('upstream_revisions').where('repo_id', '=', repo_id).where('commit_id', '=', commit_id).execute();
  const commit = await tx
    .deleteFrom('upstream_commits')
    .where('repo_id', '=', repo_id)
    .where('commit_id', '=', commit_id)
    .returning('bytes')
    .executeTakeFirst();
  await addToTotal(tx, 'facts', -(commit?.bytes ?? 0));
}

/** Deletes repositories that were last used before a time and of which no facts are left; returns their number. */
export async function deleteUnusedRepos(tx: Executor, usedBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('upstream_repos')
    .where('id', 'in', (of) =>
      of
        .selectFrom('upstream_repos')
        .select('id')
        .where('used_at', '<', usedBefore)
        .where(
          sql<boolean>`not exists (select 1 from upstream_commits where upstream_commits.repo_id = upstream_repos.id)`,
        )
        .orderBy('used_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
