import { setImmediate } from 'node:timers/promises';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { AuditQuery } from './query.ts';
import { eventsBetween, type StoredEvent } from './store.ts';

/** The rows per step: SQLite is synchronous, so other work waits while a step reads. */
const STEP = 100;
/** The maximum width of a step, in entries, if few of them match. */
const MAX_WIDTH = 16_384;

interface ScanRange {
  readonly orgId: string;
  readonly query: AuditQuery;
  /** The first kept event. */
  readonly from: number;
  /** The event before which the scan begins. */
  readonly below: number;
  /** The maximum number of events to yield. */
  readonly most: number;
}

/**
 * Yields matching events in batches, newest first. Each statement scans a bounded part of the log, which widens while
 * few events match, so that a rare match never blocks other work. Nothing is locked between batches.
 */
export async function* newestFirst(executor: ReadExecutor, where: ScanRange): AsyncGenerator<StoredEvent[]> {
  let { below, most } = where;
  for (let width = STEP; below > where.from && most > 0; ) {
    const from = Math.max(where.from, below - width);
    const limit = Math.min(STEP, most);
    const part = eventsBetween(executor, where.orgId, where.query, { from, below, limit });
    const { rows: events } = await part.execute(executor);
    if (events.length > 0) yield events;
    most -= events.length;
    // A full step may not have covered its whole range.
    below = events.length === limit ? (events.at(-1)?.seq ?? from) : from;
    width = events.length > STEP / 2 ? STEP : Math.min(width * 2, MAX_WIDTH);
    await setImmediate();
  }
}
