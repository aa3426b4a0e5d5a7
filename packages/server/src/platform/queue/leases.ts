import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Executor } from '../database/transaction.ts';
import { unnest } from '../database/where-in.ts';

/** How long a worker that has died keeps others from its lanes. */
export const LEASE_MS = 10_000;

/** Takes lanes that nobody else holds, or holds them on. Returns which. */
export async function leaseLanes(
  executor: Executor,
  lanes: readonly string[],
  { owner, now }: { owner: string; now: number },
): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    insert into lane_leases (lane, owner, held_until)
    select value, ${owner}, cast(${now + LEASE_MS} as bigint) from ${unnest(executor, lanes)} as lanes
    where true order by value
    on conflict (lane) do update set owner = excluded.owner, held_until = excluded.held_until
    where lane_leases.owner = excluded.owner or lane_leases.held_until <= ${now}
    returning lane`.execute(executor);
  return rows.map((row) => row.lane);
}

/** Ends all leases. */
export async function endLeases(executor: Executor): Promise<void> {
  await executor.deleteFrom('lane_leases').execute();
}

/** Ends the leases of an owner, but for some. Returns which lanes are free. */
async function endLeasesOf(executor: Executor, owner: string, butNot: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    delete from lane_leases where owner = ${owner} and lane not in ${unnest(executor, butNot)}
    returning lane`.execute(executor);
  return rows.map((row) => row.lane);
}

/** After the clock was put back: no lease is longer than one that is taken now. */
export async function shortenLeases(executor: Executor, now: number): Promise<void> {
  const longest = now + LEASE_MS;
  await executor.updateTable('lane_leases').set({ held_until: longest }).where('held_until', '>', longest).execute();
}

/** Forgets leases that ended a day ago: of receivers that nothing was sent to since. */
export async function forgetLeases(executor: Executor, now: number): Promise<void> {
  await executor
    .deleteFrom('lane_leases')
    .where('held_until', '<', now - 24 * 60 * 60 * 1000)
    .execute();
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Names this worker among all that share the database. */
  readonly owner: string;
  /** Told how many lanes were lost: held once, and not held on in time. */
  readonly onLost?: ((count: number) => void) | undefined;
}

export type Leases = ReturnType<typeof createLeases>;

/** The lanes whose deliveries this worker sends, so that no other does. */
export function createLeases({ database, clock, owner, onLost }: Dependencies) {
  const heldUntil = new Map<string, number>();

  /** Also where the clock was put back: nobody knows what others made of it. */
  const isFresh = (lane: string, now: number): boolean => {
    const left = (heldUntil.get(lane) ?? 0) - now;
    return left > LEASE_MS / 2 && left <= LEASE_MS;
  };

  return {
    /** Takes lanes, or holds on what ends soon. Returns those that another worker has. */
    async hold(lanes: readonly string[]): Promise<Set<string>> {
      const now = clock.now();
      const asked = lanes.filter((lane) => !isFresh(lane, now));
      if (asked.length === 0) return new Set();
      const taken = await database.transaction((tx) => leaseLanes(tx, asked, { owner, now }));
      const before = asked.filter((lane) => heldUntil.delete(lane));
      for (const [lane, until] of heldUntil) if (until <= now) heldUntil.delete(lane);
      for (const lane of taken) heldUntil.set(lane, now + LEASE_MS);
      const foreign = new Set(asked.filter((lane) => !heldUntil.has(lane)));
      onLost?.(before.filter((lane) => foreign.has(lane)).length);
      return foreign;
    },

    /** Lets go of all, but for some. Returns which lanes are free. */
    async end(butNot: readonly string[] = []): Promise<string[]> {
      const kept = new Set(butNot);
      for (const lane of heldUntil.keys()) if (!kept.has(lane)) heldUntil.delete(lane);
      return database.transaction((tx) => endLeasesOf(tx, owner, butNot));
    },
  };
}
