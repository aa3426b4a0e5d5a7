import { setImmediate } from 'node:timers/promises';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { AuditQuery } from './query.ts';
import { eventsBetween, type StoredEvent } from './store.ts';

/** Rows a step: others wait no longer than it takes to read them, as SQLite answers at once. */
const STEP = 100;
/** Entries a step looks at, at the most, where few fit. */
const WIDEST = 16_384;

interface Where {
  readonly orgId: string;
  readonly query: AuditQuery;
  /** Events from this one on, the first that is kept. */
  readonly from: number;
  /** Events before this one. */
  readonly below: number;
  /** So many at the most. */
  readonly most: number;
}

/**
 * The events that fit, newest first, in batches. Each statement looks at a bounded part of the log, which grows while
 * little is found in it: no question makes others wait, however seldom its answers are. Nothing is held in between.
 */
export async function* newestFirst(executor: ReadExecutor, where: Where): AsyncGenerator<StoredEvent[]> {
  let { below, most } = where;
  for (let width = STEP; below > where.from && most > 0; ) {
    const from = Math.max(where.from, below - width);
    const limit = Math.min(STEP, most);
    const part = eventsBetween(executor, where.orgId, where.query, { from, below, limit });
    const { rows: events } = await part.execute(executor);
    if (events.length > 0) yield events;
    most -= events.length;
    // A full step may have left some of its part.
    below = events.length === limit ? (events.at(-1)?.seq ?? from) : from;
    width = events.length > STEP / 2 ? STEP : Math.min(width * 2, WIDEST);
    await setImmediate();
  }
}
