import { sql } from 'kysely';
import { type Executor, forUpdateOf, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { GitUpkeepRow } from '../tables.ts';

/** How soon a changed repository is looked at. */
interface Pace {
  readonly now: number;
  /** The time of the look at a repository with few changes. */
  readonly soonAt: number;
  /** The number of changes after which a repository is looked at at once. */
  readonly manyChanges: number;
  /** The time to look for unreachable objects, unless one is set. */
  readonly pruneAt: number;
  /** A repository with as many failures is set aside until it changes. */
  readonly maxFailures: number;
}

/** Adds changes to repositories, by their ids, and makes the repositories due; skips those that have been deleted. */
export async function addChanges(
  tx: Executor,
  changes: ReadonlyMap<string, number>,
  { now, soonAt, manyChanges, pruneAt, maxFailures }: Pace,
): Promise<void> {
  const listed = JSON.stringify([...changes].map(([id, count]) => ({ id, count })));
  const counted = isPostgres(tx)
    ? sql`json_to_recordset(${listed}::json) as counted (id text, count integer)`
    : sql`(select value ->> 'id' as id, value ->> 'count' as count from json_each(${listed})) as counted`;
  // The least of two parameters would have no type on PostgreSQL, hence the literals.
  const [at, soon, prune] = [now, soonAt, pruneAt].map((time) => sql.lit(Math.round(time)));
  const [many, most] = [manyChanges, maxFailures].map((count) => sql.lit(count));
  await sql`
    insert into git_upkeep
      (repo_id, due_at, prune_at, changes, loose_objects, packs, packed_bytes, settled_packs, failures)
    select repositories.id, case when counted.count >= ${many} then ${at} else ${soon} end, ${prune}, counted.count,
      0, 0, 0, 0, 0
    from repositories join ${counted} on counted.id = repositories.id
    where true
    on conflict (repo_id) do update set
      changes = git_upkeep.changes + excluded.changes,
      prune_at = coalesce(git_upkeep.prune_at, excluded.prune_at),
      failures = case when git_upkeep.failures >= ${most} then 0 else git_upkeep.failures end,
      due_at = case
        when git_upkeep.failures between 1 and ${most} - 1 then git_upkeep.due_at
        when git_upkeep.changes + excluded.changes >= ${many} then ${at}
        when git_upkeep.due_at < excluded.due_at then git_upkeep.due_at
        else excluded.due_at
      end`.execute(tx);
}

/** Returns those of some repositories that have no row yet. */
export async function withoutUpkeep(executor: ReadExecutor, repoIds: readonly string[]): Promise<string[]> {
  const rows = await executor
    .selectFrom('git_upkeep')
    .select('repo_id')
    .where(whereIn(executor, 'repo_id', repoIds))
    .execute();
  const known = new Set(rows.map(({ repo_id }) => repo_id));
  return repoIds.filter((id) => !known.has(id));
}

/** Returns the repository that has been due for the longest time. */
export const findDue = (executor: ReadExecutor, now: number): Promise<GitUpkeepRow | undefined> =>
  executor
    .selectFrom('git_upkeep')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();

export const findUpkeep = (executor: ReadExecutor, repoId: string): Promise<GitUpkeepRow | undefined> =>
  executor.selectFrom('git_upkeep').selectAll().where('repo_id', '=', repoId).executeTakeFirst();

/** Returns the row of a repository, locked until the transaction ends. */
export const lockUpkeep = (tx: Executor, repoId: string): Promise<GitUpkeepRow | undefined> =>
  tx
    .selectFrom('git_upkeep')
    .selectAll()
    .where('repo_id', '=', repoId)
    .modifyEnd(forUpdateOf(tx, 'git_upkeep'))
    .executeTakeFirst();

export async function updateUpkeep(tx: Executor, repoId: string, change: Partial<GitUpkeepRow>): Promise<void> {
  await tx.updateTable('git_upkeep').set(change).where('repo_id', '=', repoId).execute();
}

/** Makes a repository due at once, with maintenance whatever its figures are. */
export async function requestMaintenance(tx: Executor, repoId: string, now: number): Promise<void> {
  const nothing = { changes: 0, loose_objects: 0, packs: 0, packed_bytes: 0, settled_packs: 0 };
  const requested = { requested_at: now, due_at: now, prune_at: now, failures: 0 };
  await tx
    .insertInto('git_upkeep')
    .values({ repo_id: repoId, ...nothing, ...requested })
    .onConflict((conflict) => conflict.column('repo_id').doUpdateSet(requested))
    .execute();
}

export async function packedBytesOf(executor: ReadExecutor, repoId: string): Promise<number> {
  return (await findUpkeep(executor, repoId))?.packed_bytes ?? 0;
}

/** Returns the number of repositories that failed at least so often, counted up to a limit. */
export async function countFailing(executor: ReadExecutor, failures: number, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from git_upkeep where failures > 0 and failures >= ${sql.lit(failures)} limit ${sql.lit(limit)}
  ) as failing`.execute(executor);
  return Number(rows[0]?.count ?? 0);
}
