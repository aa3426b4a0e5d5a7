import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { Link } from '../store.ts';
import type { AuditEventRow } from '../tables.ts';

/** Returns a page of the ends of all chains, ordered by organization id. */
export const endsAfter = (
  executor: ReadExecutor,
  after: string,
  limit: number,
): Promise<(Link & { readonly org_id: string })[]> =>
  executor
    .selectFrom('audit_chains')
    .select(['org_id', 'seq', 'hash'])
    .where('org_id', '>', after)
    .orderBy('org_id')
    .limit(limit)
    .execute();

/** Returns a page of the events of a chain, oldest first. */
export const eventsAfter = (
  executor: ReadExecutor,
  orgId: string,
  after: number,
  limit: number,
): Promise<Pick<AuditEventRow, 'seq' | 'body' | 'prev_hash' | 'hash'>[]> =>
  executor
    .selectFrom('audit_events')
    .select(['seq', 'body', 'prev_hash', 'hash'])
    .where('org_id', '=', orgId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();

export async function countEvents(executor: ReadExecutor): Promise<number> {
  const { count } = await executor
    .selectFrom('audit_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
