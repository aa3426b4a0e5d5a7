import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { StoredEvent } from './store.ts';

/** Returns the first organization after the given one that has uncopied events. */
export async function nextUncopied(executor: ReadExecutor, after: string): Promise<string | undefined> {
  const row = await executor
    .selectFrom('audit_chains')
    .leftJoin('audit_copies', 'audit_copies.org_id', 'audit_chains.org_id')
    .select('audit_chains.org_id as orgId')
    .where('audit_chains.org_id', '>', after)
    .whereRef('audit_chains.seq', '>', sql<number>`coalesce(audit_copies.seq, 0)`)
    .orderBy('audit_chains.org_id')
    .limit(1)
    .executeTakeFirst();
  return row?.orgId;
}

/** Returns the next events of an organization to copy, oldest first. */
export const nextEventsToCopy = (executor: ReadExecutor, orgId: string, limit: number): Promise<StoredEvent[]> =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'author_id', 'token_id', 'body', 'context', 'prev_hash', 'hash'])
    .where('org_id', '=', orgId)
    .where('seq', '>', (eb) =>
      eb.fn.coalesce(eb.selectFrom('audit_copies').select('seq').where('org_id', '=', orgId), eb.lit(0)),
    )
    .orderBy('seq')
    .limit(limit)
    .execute();

/** Stores the position up to which an organization is copied; the position never decreases. */
export async function storeCopiedPosition(tx: Executor, orgId: string, seq: number): Promise<void> {
  await tx
    .insertInto('audit_copies')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }).where('audit_copies.seq', '<', seq))
    .execute();
}
