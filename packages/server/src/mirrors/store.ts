import { sql } from 'kysely';
import {
  type Executor,
  forUpdateOf,
  forUpdateSkipLocked,
  type ReadExecutor,
} from '../platform/database/transaction.ts';
import { unnest, whereIn } from '../platform/database/where-in.ts';
import { MAX_COUNTED, type QueueState } from '../platform/queue/state.ts';
import { laneOf } from './policy.ts';
import type { MirrorRow } from './tables.ts';

export const findMirror = (executor: ReadExecutor, id: string): Promise<MirrorRow | undefined> =>
  executor.selectFrom('mirrors').selectAll().where('id', '=', id).executeTakeFirst();

/** A mirror with the name of its user, and whether some process is syncing it. */
export interface ShownMirror extends MirrorRow {
  readonly userName: string | null;
  readonly heldUntil: number | null;
}

/** The lane that whoever syncs a mirror has leased. */
const laneOfRow = sql<string>`${sql.lit(laneOf(''))} || mirrors.id`;

const shown = (executor: ReadExecutor) =>
  executor
    .selectFrom('mirrors')
    .leftJoin('accounts as users', 'users.id', 'mirrors.user_id')
    .leftJoin('lane_leases', (join) => join.on('lane_leases.lane', '=', laneOfRow))
    .selectAll('mirrors')
    .select(['users.name as userName', 'lane_leases.held_until as heldUntil']);

export const findShownMirror = (executor: ReadExecutor, id: string): Promise<ShownMirror | undefined> =>
  shown(executor).where('mirrors.id', '=', id).executeTakeFirst();

/** Returns a page of mirrors before one, newest repository first. */
export function listMirrors(
  executor: ReadExecutor,
  { before, failing }: { readonly before?: string | undefined; readonly failing?: boolean | undefined },
  limit: number,
) {
  let query = shown(executor)
    .innerJoin('repositories', 'repositories.id', 'mirrors.id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['repositories.type', 'repositories.name', 'owners.name as ownerName']);
  if (before !== undefined) query = query.where('mirrors.id', '<', before);
  if (failing === true) query = query.where('mirrors.failures', '>', 0);
  if (failing === false) query = query.where('mirrors.failures', '=', 0);
  return query.orderBy('mirrors.id', 'desc').limit(limit).execute();
}

export async function insertMirror(tx: Executor, row: MirrorRow): Promise<void> {
  await tx.insertInto('mirrors').values(row).execute();
}

/** Changes a mirror whose settings are those of a version. Returns whether there is such a mirror. */
export async function updateMirror(
  tx: Executor,
  { id, version }: Pick<MirrorRow, 'id' | 'version'>,
  change: Partial<MirrorRow>,
): Promise<boolean> {
  const row = await tx
    .updateTable('mirrors')
    .set(change)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteMirror(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('mirrors').where('id', '=', id).execute();
}

/** Returns the versions of the settings of mirrors, by id. */
export async function versionsOf(executor: ReadExecutor, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('mirrors')
    .select(['id', 'version'])
    .where(whereIn(executor, 'id', ids))
    .execute();
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** The mirrors that nobody is syncing. */
const idle = (executor: ReadExecutor, now: number) =>
  executor
    .selectFrom('mirrors')
    .where(sql<boolean>`not exists (select 1 from lane_leases where lane = ${laneOfRow} and held_until > ${now})`);

interface Due {
  readonly now: number;
  /** Ids of mirrors, and of users, that have to wait. */
  readonly exceptIds: readonly string[];
  readonly exceptUsers: readonly string[];
}

/** Returns the id of the mirror that has been due for longest. */
export async function nextDue(
  executor: ReadExecutor,
  { now, exceptIds, exceptUsers }: Due,
): Promise<string | undefined> {
  const row = await idle(executor, now)
    .select('id')
    .where('due_at', '<=', now)
    .where(sql<boolean>`mirrors.id not in ${unnest(executor, exceptIds)}`)
    .where(sql<boolean>`coalesce(user_id, '') not in ${unnest(executor, exceptUsers)}`)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns when a mirror that nobody is syncing is due next. */
export async function nextDueAt(executor: ReadExecutor, now: number): Promise<number | undefined> {
  const row = await idle(executor, now).select('due_at').orderBy('due_at').limit(1).executeTakeFirst();
  return row?.due_at;
}

/** Returns a mirror that is due, locked until the end of the transaction. */
export const lockDue = (tx: Executor, id: string, now: number): Promise<MirrorRow | undefined> =>
  tx
    .selectFrom('mirrors')
    .selectAll()
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst();

/** Returns a mirror whose settings are those of a version, locked until the end of the transaction. */
export const lockMirror = (
  tx: Executor,
  { id, version }: Pick<MirrorRow, 'id' | 'version'>,
): Promise<MirrorRow | undefined> =>
  tx
    .selectFrom('mirrors')
    .selectAll()
    .where('id', '=', id)
    .where('version', '=', version)
    .modifyEnd(forUpdateOf(tx, 'mirrors'))
    .executeTakeFirst();

/** Makes mirrors due earlier by this many milliseconds, but not before `now`: the clock was stepped back. */
export async function shiftMirrorsDue(tx: Executor, now: number, byMs: number): Promise<void> {
  await sql`
    update mirrors set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where due_at > ${now}`.execute(tx);
}

/** Returns the number of mirrors that wait for their time, and when the first is due. */
export async function waitingMirrors(executor: ReadExecutor): Promise<QueueState> {
  const { rows } = await sql<QueueState>`
    select (select count(*) from (select 1 from mirrors limit ${MAX_COUNTED}) as counted) as waiting,
      (select due_at from mirrors order by due_at limit 1) as "oldestDueAt"`.execute(executor);
  return rows[0] ?? { waiting: 0, oldestDueAt: null };
}
