import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../database/transaction.ts';

/*
 * Orders events and the changes that decide their effects. A clock cannot: it may stop, step back, or differ between
 * processes. An event carries the epoch in which it was recorded, and a change begins a new epoch. If an event and a
 * change are concurrent, either may come first.
 */

/** The epoch of an event that is recorded now. */
export const currentEpoch = sql<number>`coalesce(
  (select cast(value as bigint) from settings where name = 'events.epoch'), 0
)`;

/**
 * Returns the epoch from which a change holds: later than that of every committed event that still waits, and not later
 * than that of any event recorded after the change. Advances the epoch only if an event waits, so that most changes write
 * and lock nothing here.
 */
export async function beginEpoch(tx: Executor): Promise<number> {
  const { rows } = await sql<{ epoch: number; taken: boolean | 0 | 1 }>`
    select ${currentEpoch} as epoch,
      exists (select 1 from events where done_at is null and epoch = ${currentEpoch})
      or exists (${setAside(sql`epoch = ${currentEpoch}`)}) as taken`.execute(tx);
  const [now] = rows;
  if (!now?.taken) return now?.epoch ?? 0;
  const { value } = await tx
    .insertInto('settings')
    .values({ name: 'events.epoch', value: '1' })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: sql`cast(cast(settings.value as bigint) + 1 as text)` }),
    )
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(value);
}

/** The oldest epoch of the events that wait or are set aside; undefined if there are none. */
export async function oldestWaitingEpoch(tx: Executor): Promise<number | undefined> {
  const { rows } = await sql<{ epoch: number | null }>`
    select min(epoch) as epoch from (
      select min(epoch) as epoch from events where done_at is null union all ${setAside(sql`1 = 1`)}
    ) as waiting`.execute(tx);
  return rows[0]?.epoch ?? undefined;
}

/** The epochs of events that are set aside: such events count as done, but may be retried. */
const setAside = (condition: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select epoch from dead_letters join events on events.id = dead_letters.item_id
  where dead_letters.queue = 'events' and ${condition}`;
