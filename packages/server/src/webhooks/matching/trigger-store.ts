import { updateEach } from '../../platform/database/bulk.ts';
import { bigint, type RowOf, text } from '../../platform/database/columns.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { firstIdAt } from '../../platform/ids.ts';

const LAST_TRIGGER = { id: text(), last_trigger_at: bigint<number | null>() };

/** A webhook, and when it was last triggered. */
export type LastTrigger = RowOf<typeof LAST_TRIGGER>;

/** Returns when webhooks were last triggered. */
export const lastTriggersOf = (executor: ReadExecutor, webhookIds: readonly string[]): Promise<LastTrigger[]> =>
  executor
    .selectFrom('webhooks')
    .select(['id', 'last_trigger_at'])
    .where(whereIn(executor, 'id', webhookIds))
    .execute();

/** Updates the times of webhooks that were triggered earlier, except for those that another transaction has locked. */
export const updateLastTriggers = (tx: Executor, rows: readonly LastTrigger[]): Promise<void> =>
  updateEach(tx, 'webhooks', LAST_TRIGGER, rows, {
    only: 'webhooks.last_trigger_at is null or webhooks.last_trigger_at < v.last_trigger_at',
    skipLocked: true,
  });

/** Returns how often webhooks were triggered since a time, without triggers above the daily limit. */
export async function countTriggers(
  tx: Executor,
  webhookIds: readonly string[],
  since: number,
): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('deliveries')
    .select(['webhook_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where(whereIn(tx, 'webhook_id', webhookIds))
    .where('id', '>=', firstIdAt(since))
    .where('created_at', '>', since)
    .where('kind', '=', 'trigger')
    .where('status', '<>', 'throttled')
    .groupBy('webhook_id')
    .execute();
  return new Map(rows.map((row) => [row.webhook_id, row.count]));
}
