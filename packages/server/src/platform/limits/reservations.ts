import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/transaction.ts';
import { defineTask, type StepOf } from '../queue/tasks.ts';
import { WINDOW_SECONDS } from './quotas.ts';
import { addReservations, deleteWindows, type Reservation } from './reservation-store.ts';

/** Adds a reservation; returns the total of all processes in the window, including this reservation. */
export type Reserve = (reservation: Reservation) => Promise<number>;

const MAX_AT_ONCE = 200;

interface WaitingReservation {
  readonly reservation: Reservation;
  readonly resolve: (used: number) => void;
  readonly reject: (error: unknown) => void;
}

const keyOf = (windowStart: number, subject: string) => `${windowStart} ${subject}`;

/**
 * Stores reservations in a table that all processes share (PostgreSQL). Reservations that arrive while a statement runs
 * are batched into the next one, so that there is one statement at a time. At most one reservation per subject and
 * window may be pending.
 */
export function createReservations(database: Database): Reserve {
  const waiting: WaitingReservation[] = [];
  let running = false;

  async function count(batch: readonly WaitingReservation[]): Promise<void> {
    const asked = batch.map(({ reservation }) => reservation);
    try {
      const rows = await database.transaction((tx) => addReservations(tx, asked));
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
      // All processes lock rows in the same order, which avoids deadlocks.
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

/**
 * Deletes windows that are over, a batch per step. The previous window is kept for processes whose clocks are behind.
 */
export const createPruneWindows =
  ({ clock }: { readonly clock: Clock }): StepOf<typeof pruneWindowsTask> =>
  async (tx) => {
    const went = await deleteWindows(tx, clock.now() - 2 * WINDOW_SECONDS * 1000, BATCH_ROWS);
    return went === BATCH_ROWS ? { data: null } : 'done';
  };
