import type { OnProgress } from '../../platform/backup/format.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { type JsonText, parseJson } from '../../platform/stored-form.ts';
import { formerHash, linkHash, NO_HASH, type Sealed } from '../chain.ts';
import type { Link } from '../store.ts';
import { countEvents, endsAfter, eventsAfter } from './chain-store.ts';

const CHAINS_AT_ONCE = 100;
const EVENTS_AT_ONCE = 500;

interface VerifiedChains {
  readonly chains: number;
  readonly events: number;
  /** A sentence for each chain that does not hold. */
  readonly faults: readonly string[];
}

/** Verifies the hashes of all events of all chains, as they are stored. A chain may have lost its beginning to pruning. */
export async function verifyChains(executor: ReadExecutor, progress: OnProgress): Promise<VerifiedChains> {
  const faults: string[] = [];
  let chains = 0;
  let events = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof endsAfter>> = await endsAfter(executor, after, CHAINS_AT_ONCE);
    for (const { org_id: orgId, ...end } of page) {
      chains++;
      const { fault, count } = await verifyChain(executor, orgId, end, progress);
      events += count;
      if (fault !== undefined) faults.push(`The audit log of ${orgId} does not hold: ${fault}.`);
    }
    after = page.length < CHAINS_AT_ONCE ? undefined : page.at(-1)?.org_id;
  }
  if (faults.length === 0 && events !== (await countEvents(executor)))
    faults.push('The audit log has events that belong to no chain.');
  return { chains, events, faults };
}

/** Returns the first fault of a chain, and the number of events up to there. */
async function verifyChain(
  executor: ReadExecutor,
  orgId: string,
  end: Link,
  progress: OnProgress,
): Promise<{ readonly fault?: string; readonly count: number }> {
  let last: Link | undefined;
  for (let count = 0; ; ) {
    const page = await eventsAfter(executor, orgId, last?.seq ?? 0, EVENTS_AT_ONCE);
    for (const { seq, body, prev_hash: previous, hash } of page) {
      count++;
      const before = last ?? { seq: seq - 1, hash: seq === 1 ? NO_HASH : previous };
      if (seq !== before.seq + 1 || previous !== before.hash)
        return { fault: `event ${seq} does not follow event ${before.seq}`, count };
      if (!isHashOf(hash, previous, body)) return { fault: `event ${seq} was changed`, count };
      last = { seq, hash };
    }
    await progress({ table: 'the audit log', rows: count });
    if (page.length === EVENTS_AT_ONCE) continue;
    const isWhole = last === undefined || (last.seq === end.seq && last.hash === end.hash);
    return isWhole ? { count } : { fault: `it should end with event ${end.seq}, not ${last?.seq}`, count };
  }
}

/** Returns whether a hash is that of an event, in either version of the chain. */
const isHashOf = (hash: string, previous: string, body: JsonText<Sealed>): boolean =>
  hash === linkHash(previous, body) || hash === formerHash(previous, parseJson(body));
