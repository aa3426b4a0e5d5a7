import type { Clock } from '../clock.ts';
import type { Database } from '../database/transaction.ts';
import { endLeasesOf, LEASE_MS, leaseLanes } from './lease-store.ts';

interface Peers {
  /** Returns the owners whose processes seem to be dead, with the time of their last heartbeat by their clocks. */
  silent(): readonly { readonly id: string; readonly seenAt: number }[];
  /** Returns a number that grows when this process may have seemed dead to others, which then hold its lanes. */
  lapses(): number;
  /** Returns whether no other process was there at the last look. */
  isAlone(): boolean;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** Identifies this worker among all that share the database. */
  readonly owner: string;
  /** The other processes, where one takes over from another before its leases end. */
  readonly peers?: Peers | undefined;
  /** Called with the number of lanes whose leases were not renewed in time and are now held elsewhere. */
  readonly onLost?: ((count: number) => void) | undefined;
}

/** The longest time between a heartbeat and leases that were renewed before the next one; it is shorter than a silence. */
const MAX_AFTER_HEARTBEAT_MS = 2_000;

export type Leases = ReturnType<typeof createLeases>;

interface Held {
  /** The time of the first of the leases that followed one another without a break. */
  readonly since: number;
  readonly until: number;
}

/** A lease that another worker may have taken meanwhile. */
const IN_DOUBT: Held = { since: Number.POSITIVE_INFINITY, until: 0 };

/** The leases of this worker on lanes. */
export function createLeases({ database, clock, owner, peers, onLost }: Dependencies) {
  const held = new Map<string, Held>();
  let lapses = 0;

  /** After a lapse every lease is asked for again. */
  function doubtAfterLapse(): void {
    const now = peers?.lapses() ?? 0;
    if (now !== lapses) for (const lane of held.keys()) held.set(lane, IN_DOUBT);
    lapses = now;
  }

  /** What a silent process leased since its last heartbeat it leased when it was back. */
  const silentOwners = () =>
    (peers?.silent() ?? []).map(({ id, seenAt }) => ({
      owner: id,
      heldUntil: seenAt + LEASE_MS + MAX_AFTER_HEARTBEAT_MS,
    }));

  /** A lease that lasts longer than possible counts as stale: the clock was stepped back. */
  const isFresh = (lane: string, now: number): boolean => {
    const left = (held.get(lane)?.until ?? 0) - now;
    return left > LEASE_MS / 2 && left <= LEASE_MS;
  };

  return {
    /** Leases lanes, or renews leases that end soon. Returns the lanes that another worker holds. */
    async acquire(lanes: readonly string[]): Promise<Set<string>> {
      const now = clock.now();
      doubtAfterLapse();
      const asked = lanes.filter((lane) => !isFresh(lane, now));
      if (asked.length === 0) return new Set();
      const taken = await database.transaction((tx) => leaseLanes(tx, asked, { owner, now, silent: silentOwners() }), {
        // A power cut that undoes a lease on SQLite ends every process that could use the lane.
        durable: database.engine !== 'sqlite',
      });
      const own = new Set(taken);
      const foreign = new Set(asked.filter((lane) => !own.has(lane)));
      const lost = [...foreign].filter((lane) => held.delete(lane));
      const since = clock.now();
      for (const lane of taken) {
        const last = held.get(lane);
        held.set(lane, { since: last && last.until > since ? last.since : since, until: now + LEASE_MS });
      }
      for (const [lane, { until }] of held) if (until <= now) held.delete(lane);
      onLost?.(lost.length);
      return foreign;
    },

    /** Returns whether no other worker can have held a lane, which this one holds, at a time or since. */
    heldAt(lane: string, time: number): boolean {
      return (peers?.isAlone() ?? false) || (held.get(lane)?.since ?? time) < time;
    },

    /** Ends all leases except some. Returns the released lanes. */
    async releaseAll(except: readonly string[] = []): Promise<string[]> {
      const kept = new Set(except);
      for (const lane of held.keys()) if (!kept.has(lane)) held.delete(lane);
      return database.transaction((tx) => endLeasesOf(tx, owner, except));
    },
  };
}
