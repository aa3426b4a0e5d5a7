import { sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CHAINS = 100;
const EVENTS = 500;

interface Options {
  readonly clock: Clock;
  /** Undefined: everything is kept. */
  readonly days: number | undefined;
  /** Whether events are copied elsewhere: what is not copied yet stays. */
  readonly copied: boolean;
}

/** Events from before `before` go; `after` is the organization up to which chains are done. */
export const pruneAuditLogTask = defineTask(
  'audit.retain',
  z.object({ before: z.number(), after: z.string() }).nullable(),
);

interface Chain {
  readonly orgId: string;
  /** Of the last event. */
  readonly seq: number;
  readonly oldest: number | null;
  readonly copiedTo: number;
  /** Null where the organization is gone for good. */
  readonly account: string | null;
}

/**
 * Deletes events that are old enough from the beginning of each chain. What is left is a chain without a gap, which
 * begins later; its last event always stays, so that what comes next has something to follow. Of an organization that
 * is gone, everything goes.
 */
export const createPruneAuditLog =
  ({ clock, days, copied }: Options): StepOf<typeof pruneAuditLogTask> =>
  async (tx, task) => {
    if (days === undefined) return 'done';
    const { before, after } = task.data ?? { before: clock.now() - days * DAY_MS, after: '' };
    const page = await chainsAfter(tx, after);
    for (const chain of page) {
      if (chain.oldest === null || chain.oldest >= before) continue;
      const went = await shorten(tx, chain, before, copied);
      if (went === 0) continue;
      return { data: { before, after: went === EVENTS ? after : chain.orgId } };
    }
    const last = page.at(-1);
    return page.length === CHAINS && last ? { data: { before, after: last.orgId } } : 'done';
  };

async function chainsAfter(tx: Executor, after: string): Promise<Chain[]> {
  const { rows } = await sql<Chain>`
    select c.org_id as "orgId", c.seq, a.id as account, coalesce(k.seq, 0) as "copiedTo", (
      select created_at from audit_events e where e.org_id = c.org_id order by seq limit 1
    ) as oldest
    from audit_chains c left join accounts a on a.id = c.org_id left join audit_copies k on k.org_id = c.org_id
    where c.org_id > ${after} order by c.org_id limit ${CHAINS}`.execute(tx);
  return rows;
}

/** Deletes a batch of the first events of a chain, as long as they are old; returns how many. */
async function shorten(tx: Executor, chain: Chain, before: number, copied: boolean): Promise<number> {
  const { orgId, seq, account, copiedTo } = chain;
  const upTo = Math.min(account === null ? seq : seq - 1, copied ? copiedTo : seq);
  const events = await tx
    .selectFrom('audit_events')
    .select(['seq', 'created_at'])
    .where('org_id', '=', orgId)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(EVENTS)
    .execute();
  const young = events.findIndex((event) => event.created_at >= before);
  const old = young < 0 ? events : events.slice(0, young);
  const last = old.at(-1);
  if (last) await tx.deleteFrom('audit_events').where('org_id', '=', orgId).where('seq', '<=', last.seq).execute();
  if (account === null && last?.seq === seq) await forget(tx, orgId, seq);
  return old.length;
}

/** Nothing is left of the organization, and nothing will be recorded of it. */
async function forget(tx: Executor, orgId: string, seq: number): Promise<void> {
  await tx.deleteFrom('audit_chains').where('org_id', '=', orgId).where('seq', '=', seq).execute();
  await tx.deleteFrom('audit_copies').where('org_id', '=', orgId).execute();
}
