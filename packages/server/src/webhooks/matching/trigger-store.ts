import { updateEach } from '../../platform/database/bulk.ts';
import { bigint, type RowOf, text } from '../../platform/database/columns.ts';
import { unawaited } from '../../platform/database/postgres/unawaited.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { firstIdAt } from '../../platform/ids.ts';

const LAST_TRIGGER = { id: text(), last_trigger_at: bigint<number | null>() };

/** A webhook, and when it was last triggered. */
export type LastTrigger = RowOf<typeof LAST_TRIGGER>;

/**
 * Returns when webhooks were last triggered, and locks these rows in one order: of two processes that write the same webhooks,
 * one waits for the other.
 */
export const lockLastTriggers = (tx: Executor, webhookIds: readonly string[]): Promise<LastTrigger[]> =>
  tx
    .selectFrom('webhooks')
    .select(['id', 'last_trigger_at'])
    .where(whereIn(tx, 'id', webhookIds))
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .execute();

export const updateLastTriggers = (tx: Executor, rows: readonly LastTrigger[]): Promise<void> =>
  updateEach(tx, 'webhooks', LAST_TRIGGER, rows);

const updateOlder = prepared<{ id: string; at: number }>()((tx: Executor, argument) =>
  tx
    .updateTable('webhooks')
    .set({ last_trigger_at: argument('at') })
    .where('id', '=', argument('id'))
    .where((eb) => eb.or([eb('last_trigger_at', 'is', null), eb('last_trigger_at', '<', argument('at'))]))
    .modifyEnd(unawaited),
);

/** Updates the time of one webhook, unless it was triggered later. */
export async function updateLastTrigger(tx: Executor, id: string, at: number): Promise<void> {
  await updateOlder(tx, { id, at });
}

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
