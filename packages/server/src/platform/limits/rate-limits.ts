import type { Clock } from '../clock.ts';
import { type Bucket, type Quotas, type Tier, WINDOW_SECONDS } from './quotas.ts';
import type { Reserve } from './reservations.ts';

/** Where a subject stands after a request. */
export interface Standing {
  readonly bucket: Bucket;
  readonly admitted: boolean;
  readonly quota: number;
  readonly left: number;
  /** Whole seconds to the next window, 1 at least. */
  readonly reset: number;
}

/** Who asks: a user, or nobody known from an address. */
export type Asker = { readonly userId: string } | { readonly address: string };

export interface RateLimits {
  take(bucket: Bucket, asker: Asker): Promise<Standing>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly quotas: Quotas;
  readonly tierOf: (userId: string) => Promise<Tier>;
  /** Absent where this process is the only one: what it counts is the truth then. */
  readonly reserve?: Reserve | undefined;
  /** Told of reservations that failed. The request is answered: who cannot count does not refuse. */
  readonly onFailure: (error: unknown) => void;
  /** Addresses that are counted each for itself, in a window. */
  readonly mostAddresses?: number;
}

interface Count {
  readonly subject: string;
  readonly windowStart: number;
  readonly quota: number;
  /** Reserved and not used yet. */
  held: number;
  /** Of the quota, as heard with the last reservation. */
  unreserved: number;
  /** How large the last reservation was. */
  block: number;
  asking: Promise<boolean> | undefined;
}

const WINDOW_MS = WINDOW_SECONDS * 1000;
const MAX_ADDRESSES = 100_000;
/** A reservation is twice the one before, at first so many, and at most this share of what is left. */
const FIRST_BLOCK = 10;
const SHARE = 20;

/**
 * Counts requests in fixed windows (W§2.4). Several processes share each quota: a process reserves blocks of it, which
 * are as small as what is left when the quota nears its end, and answers most requests without asking. The sum over
 * all processes is never above the quota; a process may refuse while others still hold a part of their last blocks.
 */
export function createRateLimits({ clock, quotas, tierOf, reserve, onFailure, ...options }: Dependencies): RateLimits {
  const mostAddresses = options.mostAddresses ?? MAX_ADDRESSES;
  const counts = new Map<string, Count>();
  let addresses = 0;
  let current = 0;

  function turnWindow(now: number): void {
    const start = now - (now % WINDOW_MS);
    // A clock that is set back a little does not begin a window anew; one that was far ahead is not waited for.
    if (start === current || start === current - WINDOW_MS) return;
    current = start;
    counts.clear();
    addresses = 0;
  }

  async function countOf(bucket: Bucket, asker: Asker): Promise<Count> {
    const known = counts.get(subjectOf(bucket, asker));
    if (known) return known;
    const quota = quotas[bucket]['userId' in asker ? await tierOf(asker.userId) : 'anonymous'];
    // Strangers cannot fill the memory: beyond so many addresses they share one quota.
    const subject = subjectOf(bucket, 'address' in asker && addresses >= mostAddresses ? { address: 'others' } : asker);
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

  /** One reservation at a time: who comes meanwhile waits for it, too. */
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
      // Ahead of those who come next, so that they do not wait.
      if (reserve && counted && count.held < count.block / 2 && count.unreserved > 0) void ask(count, reserve);
      const reset = Math.max(1, Math.ceil((count.windowStart + WINDOW_MS - clock.now()) / 1000));
      return { bucket, admitted, quota: count.quota, left: count.held + count.unreserved, reset };
    },
  };
}

const subjectOf = (bucket: Bucket, asker: Asker): string =>
  'userId' in asker ? `${bucket} user ${asker.userId}` : `${bucket} ${asker.address}`;
