import type { Clock } from '../clock.ts';
import { type Bucket, type Quotas, type Tier, WINDOW_SECONDS } from './quotas.ts';
import type { Reserve } from './reservations.ts';

/** The state of a quota after a request. */
export interface QuotaState {
  readonly bucket: Bucket;
  readonly admitted: boolean;
  readonly quota: number;
  readonly left: number;
  /** Whole seconds until the next window, at least 1. */
  readonly reset: number;
}

/** The subject of a quota: a user, or an address without a known user. */
export type QuotaSubject = { readonly userId: string } | { readonly address: string };

export interface RateLimits {
  take(bucket: Bucket, asker: QuotaSubject): Promise<QuotaState>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly quotas: Quotas;
  readonly tierOf: (userId: string) => Promise<Tier>;
  /** Absent if this process is the only one and its own counters are therefore exact. */
  readonly reserve?: Reserve | undefined;
  /** Called when a reservation fails. The request is admitted all the same. */
  readonly onFailure: (error: unknown) => void;
  /** The maximum number of addresses with a counter of their own in a window. */
  readonly maxAddresses?: number;
}

interface Count {
  readonly subject: string;
  readonly windowStart: number;
  readonly quota: number;
  /** The requests that are reserved and not used yet. */
  held: number;
  /** The unreserved rest of the quota, as of the last reservation. */
  unreserved: number;
  /** The size of the last reservation. */
  block: number;
  asking: Promise<boolean> | undefined;
}

const WINDOW_MS = WINDOW_SECONDS * 1000;
const MAX_ADDRESSES = 100_000;
/**
 * Each reservation is twice as large as the previous one. The first has this size, and none takes more than 1/SHARE of
 * the rest.
 */
const FIRST_BLOCK = 10;
const SHARE = 20;

/**
 * Counts requests in fixed windows (W§2.4). Several processes share each quota by reserving blocks of it, so that most
 * requests need no query; blocks shrink as the quota nears its end. The sum over all processes never exceeds the quota,
 * but one process may refuse a request while others still hold part of their last blocks.
 */
export function createRateLimits({ clock, quotas, tierOf, reserve, onFailure, ...options }: Dependencies): RateLimits {
  const maxAddresses = options.maxAddresses ?? MAX_ADDRESSES;
  const counts = new Map<string, Count>();
  let addresses = 0;
  let current = 0;

  function turnWindow(now: number): void {
    const start = now - (now % WINDOW_MS);
    // If the clock was stepped back by less than a window, the window goes on; if the clock had been far ahead, a new
    // window begins.
    if (start === current || start === current - WINDOW_MS) return;
    current = start;
    counts.clear();
    addresses = 0;
  }

  async function countOf(bucket: Bucket, asker: QuotaSubject): Promise<Count> {
    const known = counts.get(subjectOf(bucket, asker));
    if (known) return known;
    const quota = quotas[bucket]['userId' in asker ? await tierOf(asker.userId) : 'anonymous'];
    // Limits memory: addresses beyond the maximum share one quota.
    const subject = subjectOf(bucket, 'address' in asker && addresses >= maxAddresses ? { address: 'others' } : asker);
    const meanwhile = counts.get(subject);
    if (meanwhile) return meanwhile;
    const alone = reserve === undefined;
    const count: Count = {
      ...{ subject, windowStart: current, quota, block: FIRST_BLOCK / 2, asking: undefined },
      ...(alone ? { held: quota, unreserved: 0 } : { held: 0, unreserved: quota }),
    };
    counts.set(subject, count);
    if ('address' in asker) addresses += 1;
    return count;
  }

  /** Reserves more of a quota. There is one reservation at a time, which concurrent requests wait for. */
  function ask(count: Count, by: Reserve): Promise<boolean> {
    count.asking ??= reserveMore(count, by);
    return count.asking;
  }

  async function reserveMore(count: Count, by: Reserve): Promise<boolean> {
    const { subject, windowStart, quota } = count;
    const block = Math.max(1, Math.min(2 * count.block, Math.floor(count.unreserved / SHARE)));
    try {
      const used = await by({ subject, windowStart, count: block });
      count.held += Math.min(block, Math.max(0, quota - (used - block)));
      count.unreserved = Math.max(0, quota - used);
      count.block = block;
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    } finally {
      count.asking = undefined;
    }
  }

  return {
    async take(bucket, asker) {
      turnWindow(clock.now());
      const count = await countOf(bucket, asker);
      let counted = true;
      while (counted && reserve && count.held === 0 && count.unreserved > 0) counted = await ask(count, reserve);
      const admitted = !counted || count.held > 0;
      if (count.held > 0) count.held -= 1;
      // Reserves ahead, so that the next requests do not wait.
      if (reserve && counted && count.held < count.block / 2 && count.unreserved > 0) void ask(count, reserve);
      const reset = Math.max(1, Math.ceil((count.windowStart + WINDOW_MS - clock.now()) / 1000));
      return { bucket, admitted, quota: count.quota, left: count.held + count.unreserved, reset };
    },
  };
}

const subjectOf = (bucket: Bucket, asker: QuotaSubject): string =>
  'userId' in asker ? `${bucket} user ${asker.userId}` : `${bucket} ${asker.address}`;
