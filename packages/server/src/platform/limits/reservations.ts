import { CompiledQuery, sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Tables } from '../database/tables.ts';
import type { Database, Executor } from '../database/transaction.ts';
import { defineTask, type StepOf } from '../queue/tasks.ts';
import { WINDOW_SECONDS } from './quotas.ts';

/** So many requests of one subject, which this process may answer before it asks again. */
export interface Reservation {
  readonly subject: string;
  /** When the window began, in epoch milliseconds. */
  readonly windowStart: number;
  readonly count: number;
}

/** Counts a reservation; returns how many are counted in the window by now, by all processes, with this one. */
export type Reserve = (reservation: Reservation) => Promise<number>;

/** Whoever waits for a lock on a row has the count of the one before: the sum of all reservations is exact. */
const COUNT = `
insert into rate_windows (window_start, subject, used)
select * from unnest($1::bigint[], $2::text[], $3::bigint[])
on conflict (window_start, subject) do update set used = rate_windows.used + excluded.used
returning window_start, subject, used`;

const MAX_AT_ONCE = 200;

interface Waiting {
  readonly reservation: Reservation;
  readonly resolve: (used: number) => void;
  readonly reject: (error: unknown) => void;
}

const keyOf = (windowStart: number, subject: string) => `${windowStart} ${subject}`;

/**
 * Reservations in a table that all processes share, on PostgreSQL: what is asked for while a statement runs goes with
 * the next one, so that however many subjects there are, there is one statement at a time. Of one subject and window
 * one reservation may be underway.
 */
export function createReservations(database: Database): Reserve {
  const waiting: Waiting[] = [];
  let running = false;

  async function count(batch: readonly Waiting[]): Promise<void> {
    const asked = batch.map(({ reservation }) => reservation);
    const values = [
      asked.map(({ windowStart }) => windowStart),
      asked.map(({ subject }) => subject),
      asked.map((each) => each.count),
    ];
    try {
      const query = CompiledQuery.raw(COUNT, values) as CompiledQuery<Tables['rate_windows']>;
      const { rows } = await database.transaction((tx) => tx.executeQuery(query));
      const used = new Map(rows.map((row) => [keyOf(row.window_start, row.subject), row.used]));
      for (const { reservation, resolve } of batch)
        resolve(used.get(keyOf(reservation.windowStart, reservation.subject)) ?? 0);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // In one order in all processes, so that no two wait for each other.
      const batch = waiting
        .splice(0, MAX_AT_ONCE)
        .sort((a, b) => (a.reservation.subject < b.reservation.subject ? -1 : 1));
      await count(batch);
    }
    running = false;
  }

  return (reservation) =>
    new Promise((resolve, reject) => {
      waiting.push({ reservation, resolve, reject });
      if (!running) void run();
    });
}

const BATCH_ROWS = 1000;

export const pruneWindowsTask = defineTask('limits.retain', z.null());

/** Deletes windows that are over, a batch a step; the one before is kept for processes whose clocks are behind. */
export const createPruneWindows =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneWindowsTask> =>
  async (tx) => {
    const went = await deleteWindows(tx, clock.now() - 2 * WINDOW_SECONDS * 1000);
    return went === BATCH_ROWS ? { data: null } : 'done';
  };

async function deleteWindows(tx: Executor, before: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from rate_windows where (window_start, subject) in (
      select window_start, subject from rate_windows where window_start < ${before} limit ${BATCH_ROWS}
    )`.execute(tx);
  return Number(numAffectedRows);
}
