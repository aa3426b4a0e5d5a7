import type { LaunchForWebhook } from '../jobs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Ids } from '../platform/ids.ts';
import type { Logger } from '../platform/logger.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { JoinTopic } from '../platform/queue/broadcast.ts';
import type { CrashGuard } from '../platform/queue/crash-guard/crash-guard.ts';
import type { Processes } from '../platform/queue/crash-guard/processes.ts';
import type { SetAside } from '../platform/queue/dead-letters.ts';
import { createLeases } from '../platform/queue/leases.ts';
import type { SharedNudge } from '../platform/queue/nudge.ts';
import { createSignals } from '../platform/queue/signals.ts';
import type { Tasks } from '../platform/queue/tasks.ts';
import type { SecretBox } from '../platform/secrets.ts';
import type { Traces } from '../platform/tracing/traces.ts';
import { createMessages } from './delivery/compose.ts';
import { createDeliver } from './delivery/deliver.ts';
import { createAttemptRecorder } from './delivery/recording/attempt-recorder.ts';
import { createRecordAttempts } from './delivery/recording/record-attempts.ts';
import { createRecordingFailures } from './delivery/recording/unrecorded.ts';
import { createSend } from './delivery/send.ts';
import { createDeliveryWorker } from './delivery/worker.ts';
import { createWebhookFigures } from './figures/figures.ts';
import { createTallies } from './figures/tallies.ts';
import { createDeliveryLog } from './log/delivery-log.ts';
import { createPruneLog, createStreamExpiry } from './log/prune.ts';
import { createDeliveryReaction } from './matching/delivery-reaction.ts';
import { createLastTriggers } from './matching/last-triggers.ts';
import { createPendingChanges } from './pending/changes.ts';
import { createReplays } from './replays/service.ts';
import { createReplayStep } from './replays/task.ts';
import { createWebhookStreams } from './streams/service.ts';
import { createWebhooks } from './subscriptions/service.ts';

/** What is measured of deliveries. */
interface DeliveryMetrics {
  /** `status`: of what the receiver answered; undefined where it did not. */
  readonly attempted: (status: number | undefined, seconds: number) => void;
  readonly leasesLost: (count: number) => void;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly events: Events;
  readonly tasks: Tasks;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly metrics: DeliveryMetrics;
  readonly traces: Traces;
  readonly setAside: SetAside;
  readonly crashGuard: CrashGuard;
  readonly processes: Pick<Processes, 'id' | 'silent' | 'lapses' | 'isAlone'>;
  readonly nudge: SharedNudge;
  readonly join: JoinTopic;
  readonly random: () => number;
  /** Launches the job of a webhook. */
  readonly launch: LaunchForWebhook;
  readonly settings: {
    readonly webhookRetrySchedule: readonly number[];
    readonly webhookDailyLimit: number | undefined;
    readonly webhookLogDays: number;
    readonly maxWebhooks: number;
    readonly maxWatched: number;
    readonly lenientWebhooks: boolean;
  };
}

/** Returns the owner of the leases on lanes that a process has. */
const leaseOwner = (processId: string): string => `${processId}/deliveries`;

/** Puts the parts of this slice together. */
export function createWebhookParts(given: Dependencies) {
  const {
    database,
    clock,
    ids,
    logger,
    events,
    tasks,
    secretBox,
    metrics,
    traces,
    setAside,
    crashGuard,
    processes,
    join,
  } = given;
  const { webhookRetrySchedule: retrySchedule, maxWebhooks, maxWatched } = given.settings;
  const nudge = given.nudge.everywhere;
  const signals = createSignals(join, 'webhook-streams');
  const messages = createMessages({ secretBox });
  const tallies = createTallies({ database });
  const pending = createPendingChanges({ database });
  const record = createRecordAttempts({
    ...{ database, clock, events, setAside, tallies, pending, retrySchedule, random: given.random },
  });
  const recorder = createAttemptRecorder({
    record,
    logger,
    onFailure: createRecordingFailures({ database, setAside }),
  });
  const send = createSend({ clock, messages, outbound: given.outbound, launch: given.launch, traces });
  const deliver = createDeliver({ clock, logger, send, recorder, onAttempt: metrics.attempted });
  const streams = createWebhookStreams({
    ...{ database, clock, ids, secretBox, tasks, events, messages, recorder, signals, maxWatched },
  });
  const leases = createLeases({
    ...{ database, clock, onLost: metrics.leasesLost },
    owner: leaseOwner(processes.id),
    peers: {
      silent: () => processes.silent().map(({ id, seenAt }) => ({ id: leaseOwner(id), seenAt })),
      lapses: processes.lapses,
      isAlone: processes.isAlone,
    },
  });
  const lastTriggers = createLastTriggers({ database });
  const worker = createDeliveryWorker({ database, clock, leases, nudge: given.nudge, deliver, crashGuard, join });
  return {
    services: {
      webhooks: createWebhooks({ database, clock, ids, secretBox, tasks, pending, maxWebhooks, maxWatched }),
      log: createDeliveryLog({ database, clock, ids, events, deliver }),
      replays: createReplays({ database, clock, ids, tasks }),
      streams,
      figures: createWebhookFigures({ database, clock }),
      lenient: given.settings.lenientWebhooks,
    },
    deliver: createDeliveryReaction({
      ...{ clock, ids, lastTriggers, tallies },
      dailyLimit: given.settings.webhookDailyLimit,
      nudge: (lanes, sendable) => {
        worker.expect(lanes, sendable);
        nudge();
      },
      streams: signals,
    }),
    steps: {
      replay: createReplayStep({ clock, ids, nudge }),
      pruneLog: createPruneLog({ clock, days: given.settings.webhookLogDays }),
      expireStream: createStreamExpiry({ clock, tasks }),
    },
    worker,
    writeLastTriggers: lastTriggers.round,
    writeTallies: tallies.round,
    closeStreams: streams.stop,
  };
}
