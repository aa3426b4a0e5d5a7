import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { defineTask, type StepOf } from '../platform/queue/tasks.ts';
import { recordDeleted } from '../platform/retention/deletion-store.ts';
import type { Directory } from './directory.ts';
import { type Chain, chainsAfter, deleteChain, deleteEventsUpTo, firstEvents } from './prune-store.ts';
import { SITE } from './site.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CHAINS = 100;
const EVENTS = 500;

interface Options {
  readonly clock: Clock;
  /** Undefined: all events are kept. */
  readonly days: number | undefined;
  /** Whether events are copied elsewhere; events that are not copied yet are then kept. */
  readonly copied: boolean;
  readonly findExistingAccounts: Directory['findExistingAccounts'];
}

/** Deletes events older than `before`; `after` is the last organization whose chain is done. */
export const pruneAuditLogTask = defineTask(
  'audit.retain',
  z.object({ before: z.number(), after: z.string() }).nullable(),
);

/**
 * Deletes old events from the beginning of each chain. The rest is a gapless chain with a later beginning; its last
 * event is always kept, so that new events have a predecessor. The chain of a removed organization is deleted
 * completely.
 */
export const createPruneAuditLog =
  ({ clock, days, copied, findExistingAccounts }: Options): StepOf<typeof pruneAuditLogTask> =>
  async (tx, task) => {
    if (days === undefined) return 'done';
    const { before, after } = task.data ?? { before: clock.now() - days * DAY_MS, after: '' };
    const page = await chainsAfter(tx, after, CHAINS);
    const orgIds = page.map(({ orgId }) => orgId);
    const known = new Set((await findExistingAccounts(tx, orgIds)).map(({ id }) => id));
    for (const chain of page) {
      if (chain.oldest === null || chain.oldest >= before) continue;
      const went = await shorten(tx, chain, {
        before,
        copied,
        isGone: chain.orgId !== SITE && !known.has(chain.orgId),
      });
      if (went === 0) continue;
      await recordDeleted(tx, 'audit-events', went, clock.now());
      return { data: { before, after: went === EVENTS ? after : chain.orgId } };
    }
    const last = page.at(-1);
    return page.length === CHAINS && last ? { data: { before, after: last.orgId } } : 'done';
  };

/** Deletes a batch of old events at the beginning of a chain; returns the number of deleted events. */
async function shorten(
  tx: Executor,
  { orgId, seq, copiedTo }: Chain,
  { before, copied, isGone }: { readonly before: number; readonly copied: boolean; readonly isGone: boolean },
): Promise<number> {
  const upTo = Math.min(isGone ? seq : seq - 1, copied ? copiedTo : seq);
  const events = await firstEvents(tx, orgId, upTo, EVENTS);
  const firstKept = events.findIndex((event) => event.created_at >= before);
  const old = firstKept < 0 ? events : events.slice(0, firstKept);
  const last = old.at(-1);
  if (last) await deleteEventsUpTo(tx, orgId, last.seq);
  // The organization is removed, and no further events will be recorded.
  if (isGone && last?.seq === seq) await deleteChain(tx, orgId, seq);
  return old.length;
}
