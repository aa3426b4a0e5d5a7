import { sql } from 'kysely';
import { rawQuery } from '../database/prepared.ts';
import type { Tables } from '../database/tables.ts';
import type { Executor } from '../database/transaction.ts';

/** A number of requests of one subject that this process may admit. */
export interface Reservation {
  readonly subject: string;
  /** The beginning of the window in epoch milliseconds. */
  readonly windowStart: number;
  readonly count: number;
}

/** The row lock serializes concurrent reservations, so that the sum is exact. */
const COUNT = `
insert into rate_windows (window_start, subject, used)
select * from unnest($1::bigint[], $2::text[], $3::bigint[])
on conflict (window_start, subject) do update set used = rate_windows.used + excluded.used
returning window_start, subject, used`;

/** Adds reservations; returns the new totals of their windows. */
export async function addReservations(tx: Executor, asked: readonly Reservation[]): Promise<Tables['rate_windows'][]> {
  const values = [
    asked.map(({ windowStart }) => windowStart),
    asked.map(({ subject }) => subject),
    asked.map(({ count }) => count),
  ];
  return (await tx.executeQuery(rawQuery<Tables['rate_windows']>(COUNT, values))).rows;
}

/** Deletes at most `limit` windows that began before a time. Returns the number of deleted rows. */
export async function deleteWindows(tx: Executor, before: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from rate_windows where (window_start, subject) in (
      select window_start, subject from rate_windows where window_start < ${before} limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows);
}
