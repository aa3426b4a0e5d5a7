import { sql } from 'kysely';
import type { Executor } from '../database/transaction.ts';
import { unnest } from '../database/where-in.ts';

/** The length of a lease, and so the longest time for which a dead worker blocks its lanes. */
export const LEASE_MS = 10_000;

/** An owner that seems to be dead: its leases that end by a time count no longer, later ones it has renewed. */
export interface SilentOwner {
  readonly owner: string;
  readonly heldUntil: number;
}

interface Lease {
  readonly owner: string;
  readonly now: number;
  readonly silent?: readonly SilentOwner[];
}

/**
 * Leases lanes that no other worker holds, or renews their leases. Returns the leased lanes. A lease that ends later than one that
 * has just begun is from a clock that was ahead, and counts no longer; the clocks of processes may differ by its length.
 */
export async function leaseLanes(
  executor: Executor,
  lanes: readonly string[],
  { owner, now, silent = [] }: Lease,
): Promise<string[]> {
  const isSilent = silent.map(
    (one) => sql`or lane_leases.owner = ${one.owner} and lane_leases.held_until <= ${one.heldUntil}`,
  );
  const { rows } = await sql<{ lane: string }>`
    insert into lane_leases (lane, owner, held_until)
    select value, ${owner}, cast(${now + LEASE_MS} as bigint) from ${unnest(executor, lanes)} as lanes
    where true order by value
    on conflict (lane) do update set owner = excluded.owner, held_until = excluded.held_until
    where lane_leases.owner = excluded.owner or lane_leases.held_until <= ${now}
      or lane_leases.held_until > ${now + 2 * LEASE_MS} ${sql.join(isSilent, sql` `)}
    returning lane`.execute(executor);
  return rows.map((row) => row.lane);
}

/** Ends all leases. */
export async function endLeases(executor: Executor): Promise<void> {
  await executor.deleteFrom('lane_leases').execute();
}

/** Ends the leases of an owner, except for some lanes. Returns the released lanes. */
export async function endLeasesOf(executor: Executor, owner: string, except: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    delete from lane_leases where owner = ${owner} and lane not in ${unnest(executor, except)}
    returning lane`.execute(executor);
  return rows.map((row) => row.lane);
}

/** After the clock was stepped back: shortens leases to the length of a new one. */
export async function shortenLeases(executor: Executor, now: number): Promise<void> {
  const longest = now + LEASE_MS;
  await executor.updateTable('lane_leases').set({ held_until: longest }).where('held_until', '>', longest).execute();
}

/** Deletes leases that ended a day ago: nothing was sent to their receivers since. */
export async function deleteEndedLeases(executor: Executor, now: number): Promise<void> {
  await executor
    .deleteFrom('lane_leases')
    .where('held_until', '<', now - 24 * 60 * 60 * 1000)
    .execute();
}
