import { sql } from 'kysely';
import { type Executor, forUpdateSkipLocked } from '../database/transaction.ts';

/** How long a claimed row is held before another worker may take it. */
export const LEASE_MS = 30_000;

/** The tables that are queues: `due_at` is when a row may be claimed, `lease` who holds it until then. */
export type QueueTable = 'events' | 'deliveries' | 'tasks';

const OPEN = {
  events: sql`done_at is null`,
  deliveries: sql`status = 'pending'`,
  tasks: sql`true`,
} as const;

interface ClaimOptions {
  readonly table: QueueTable;
  /** Names this claim; what is recorded later counts only while the row still carries it. */
  readonly lease: string;
  readonly now: number;
  readonly limit: number;
}

/** Takes up to `limit` due rows, oldest first, and holds them for a lease. Answers their ids. */
export async function claim(executor: Executor, options: ClaimOptions): Promise<string[]> {
  const { table, lease, now, limit } = options;
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} set lease = ${lease}, due_at = ${now + LEASE_MS}
    where id in (
      select id from ${sql.table(table)} where ${OPEN[table]} and due_at <= ${now}
      order by due_at, id limit ${limit} ${forUpdateSkipLocked(executor)}
    )
    returning id`.execute(executor);
  return rows.map((row) => row.id).sort();
}

/** Hands rows back at once: at a start that knows that nobody else works, or at a shutdown. */
export async function release(executor: Executor, table: QueueTable, now: number, lease?: string): Promise<void> {
  const mine = lease === undefined ? sql`lease is not null` : sql`lease = ${lease}`;
  await sql`update ${sql.table(table)} set lease = null, due_at = ${now} where ${OPEN[table]} and ${mine}`.execute(
    executor,
  );
}

/** When the next row of a queue is due, leases included. */
export async function nextDueAt(executor: Executor, table: QueueTable): Promise<number | undefined> {
  const { rows } = await sql<{ due: number | null }>`
    select min(due_at) as due from ${sql.table(table)} where ${OPEN[table]}`.execute(executor);
  return rows[0]?.due ?? undefined;
}
