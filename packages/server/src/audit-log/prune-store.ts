import { sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';

export interface Chain {
  readonly orgId: string;
  /** The number of the last event. */
  readonly seq: number;
  /** The time of the oldest remaining event. */
  readonly oldest: number | null;
  readonly copiedTo: number;
}

/** Returns a page of chains, ordered by organization id. */
export async function chainsAfter(tx: Executor, after: string, limit: number): Promise<Chain[]> {
  const { rows } = await sql<Chain>`
    select c.org_id as "orgId", c.seq, coalesce(k.seq, 0) as "copiedTo", (
      select created_at from audit_events e where e.org_id = c.org_id order by seq limit 1
    ) as oldest
    from audit_chains c left join audit_copies k on k.org_id = c.org_id
    where c.org_id > ${after} order by c.org_id limit ${limit}`.execute(tx);
  return rows;
}

/** Returns the first events of a chain, up to a number. */
export const firstEvents = (tx: Executor, orgId: string, upTo: number, limit: number) =>
  tx
    .selectFrom('audit_events')
    .select(['seq', 'created_at'])
    .where('org_id', '=', orgId)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute();

export async function deleteEventsUpTo(tx: Executor, orgId: string, seq: number): Promise<void> {
  await tx.deleteFrom('audit_events').where('org_id', '=', orgId).where('seq', '<=', seq).execute();
}

/** Deletes a chain, unless events were added after `seq`. */
export async function deleteChain(tx: Executor, orgId: string, seq: number): Promise<void> {
  await tx.deleteFrom('audit_chains').where('org_id', '=', orgId).where('seq', '=', seq).execute();
  await tx.deleteFrom('audit_copies').where('org_id', '=', orgId).execute();
}
