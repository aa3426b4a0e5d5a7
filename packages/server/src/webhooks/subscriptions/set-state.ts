import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { SUSPENDED } from '../delivery/recording/attempt-rows.ts';
import { NOTHING, type PendingChanges, type Rest } from '../pending/changes.ts';
import { cancelRunning } from '../replays/store.ts';
import type { WebhookRow } from '../tables.ts';
import { jobToken } from './authority.ts';
import { beginChange, changeWebhook } from './history.ts';
import { requireWebhook } from './own-webhook.ts';
import type { presentWebhook } from './present.ts';

/** Runs a change on a locked webhook of the caller, and what it returns after the commit; returns the webhook. */
export type RunChange = (
  caller: Caller,
  id: string,
  change: (tx: Executor, webhook: WebhookRow) => Promise<Rest>,
) => Promise<{ readonly webhook: ReturnType<typeof presentWebhook> }>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly pending: PendingChanges;
  readonly runChange: RunChange;
}

const DISABLED = 'The webhook was disabled; replay this delivery when it is wanted';
const HEALTHY = { state: 'enabled', failures: 0, failing_since: null } as const;

/**
 * Returns the function that enables a webhook, which also ends a suspension and resets its failures, or disables it and fails its
 * pending deliveries.
 */
export function createSetState({ database, clock, pending, runChange }: Dependencies) {
  async function enable(caller: Caller, id: string) {
    const before = await requireWebhook(database.read, caller, id, 'write');
    await pending.failLeft(before, before.state === 'suspended' ? SUSPENDED : DISABLED);
    return runChange(caller, id, async (tx, webhook) => {
      await changeWebhook(
        tx,
        webhook,
        { ...HEALTHY, ...jobToken(webhook, caller.principal) },
        beginChange(tx, clock.now()),
      );
      return NOTHING;
    });
  }

  const disable = (caller: Caller, id: string) =>
    runChange(caller, id, async (tx, webhook) => {
      await changeWebhook(tx, webhook, { state: 'disabled' }, beginChange(tx, clock.now()));
      await cancelRunning(tx, id);
      return pending.fail(tx, webhook, DISABLED);
    });

  return (caller: Caller, id: string, action: 'enable' | 'disable') =>
    action === 'enable' ? enable(caller, id) : disable(caller, id);
}
