import type { Clock } from '../../../platform/clock.ts';
import type { Database, Executor } from '../../../platform/database/transaction.ts';
import type { Events } from '../../../platform/events/events.ts';
import { MAX_FAILURES, type SetAside } from '../../../platform/queue/dead-letters.ts';
import { backoffMs } from '../../../platform/queue/due.ts';
import { describeFault, isTransient } from '../../../platform/queue/fault.ts';
import type { Tallies } from '../../figures/tallies.ts';
import { isStreamTarget } from '../../matching/lane.ts';
import type { PendingChanges } from '../../pending/changes.ts';
import { finishDeliveries, insertAttempts, lockUnchanged } from '../delivery-store.ts';
import { isRetried, outcomeOf } from '../retry.ts';
import type { Attempt } from '../send.ts';
import { attemptFigures, attemptRows, countsForHealth, finishedBy, type JudgedAttempt } from './attempt-rows.ts';
import { createWebhookHealth } from './webhook-health.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly setAside: SetAside;
  readonly tallies: Tallies;
  readonly pending: PendingChanges;
  /** The waits before the second and each further attempt, in seconds. */
  readonly retrySchedule: readonly number[];
  readonly random: () => number;
}

/** Records attempts in one transaction: each delivery as finished or due again, and the health of the webhooks. */
export type RecordAttempts = (attempts: readonly Attempt[]) => Promise<void>;

export function createRecordAttempts(given: Dependencies): RecordAttempts {
  const { database, clock, setAside, tallies, retrySchedule, random } = given;
  const health = createWebhookHealth(given);

  function judge(attempt: Attempt): JudgedAttempt {
    const { delivery, result, url } = attempt;
    if (isRetried(delivery.kind) && attempt.fault !== undefined) {
      const dueAt = clock.now() + backoffMs(delivery.attempts + 1);
      return { ...attempt, outcome: { status: 'pending', dueAt } };
    }
    if (url === null) return { ...attempt, outcome: { status: 'failed', gone: false } };
    const schedule = countsForHealth(attempt) ? retrySchedule : [];
    const facts = { result, attempts: delivery.attempts + 1, schedule, now: clock.now(), random: random() };
    return { ...attempt, outcome: outcomeOf(facts) };
  }

  /** Sets aside the deliveries that the hub itself failed to send too often. */
  async function setFaultyAside(tx: Executor, attempts: readonly Attempt[]): Promise<void> {
    for (const { delivery, fault } of attempts) {
      const failures = delivery.attempts + 1;
      if (fault === undefined || !isRetried(delivery.kind) || failures < MAX_FAILURES || isTransient(fault)) continue;
      await setAside(tx, 'deliveries', delivery.id, { error: describeFault(fault), failures, deaths: 0 });
    }
  }

  async function recordAll(tx: Executor, attempts: readonly Attempt[]): Promise<void> {
    const judged = attempts.map(judge);
    const locked = await health.lock(tx, judged);
    // Another worker may have recorded an attempt already: the later one counts for neither delivery nor webhook.
    const deliveries = attempts.map(({ delivery }) => delivery);
    const standing = await lockUnchanged(tx, deliveries);
    const counting = judged.filter(({ delivery }) => standing.has(delivery.id));
    const webhooks = await health.apply(tx, locked, counting);
    const finished = counting.map((attempt) => ({
      attempt,
      row: finishedBy(attempt, {
        standing: standing.get(attempt.delivery.id),
        webhook: webhooks.get(attempt.delivery.webhookId),
        now: clock.now(),
      }),
    }));
    await finishDeliveries(
      tx,
      finished.map(({ row }) => row),
    );
    await insertAttempts(tx, counting.flatMap(attemptRows));
    tallies.addAttempts(
      tx,
      finished.flatMap(({ attempt, row }) => attemptFigures(attempt, row)),
    );
    await setFaultyAside(tx, counting);
  }

  return (attempts) => {
    // A consumer of a stream is told that its acknowledgement stays; a request that a power cut forgets is sent again.
    const durable = attempts.some(({ url }) => url !== null && isStreamTarget(url));
    return database.transaction((tx) => recordAll(tx, attempts), { durable });
  };
}
