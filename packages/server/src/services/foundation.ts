import { type AuditLog, createAuditLog, openLocations } from '../audit-log/index.ts';
import type { Config } from '../config.ts';
import type { GitLimits } from '../git/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import { createDeadJobs, createDeadScheduledJobs, type Runner } from '../jobs/index.ts';
import { createDeadMails } from '../mail/index.ts';
import type { RemoteTimes } from '../mirrors/index.ts';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import type { Clock } from '../platform/clock.ts';
import { channelTo } from '../platform/database/channel.ts';
import { createDeadEvents } from '../platform/events/dead-events.ts';
import { createEvents } from '../platform/events/events.ts';
import { createIds, type Ids } from '../platform/ids.ts';
import { createAddressGuard } from '../platform/outbound/address-guard.ts';
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts';
import { createBroadcast, type JoinTopic } from '../platform/queue/broadcast.ts';
import { createCrashGuard } from '../platform/queue/crash-guard/crash-guard.ts';
import { createProcesses } from '../platform/queue/crash-guard/processes.ts';
import { createSetAside, type DeadLetterQueues } from '../platform/queue/dead-letters.ts';
import { createDeadTasks } from '../platform/queue/dead-tasks.ts';
import { createLeases } from '../platform/queue/leases.ts';
import { createSharedNudge } from '../platform/queue/nudge.ts';
import { createSignals } from '../platform/queue/signals.ts';
import { createTasks } from '../platform/queue/tasks.ts';
import type { Traces } from '../platform/tracing/traces.ts';
import { keysOf } from '../platform/typed-objects.ts';
import type { PasswordHashing } from '../sign-in/index.ts';
import type { UpstreamTimes } from '../upstream/index.ts';
import { createDeadDeliveries } from '../webhooks/index.ts';

/** The dependencies of services that tests and demonstrations replace. */
export interface ServiceOverrides {
  readonly ids?: Ids;
  readonly outbound?: Outbound;
  readonly random?: () => number;
  readonly runner?: Runner;
  readonly audit?: AuditLog;
  readonly blobs?: BlobStore;
  /** Large files of more bytes are uploaded in parts. */
  readonly partsFromBytes?: number;
  readonly gitLimits?: Partial<GitLimits>;
  readonly hashing?: PasswordHashing;
  readonly remoteTimes?: Partial<RemoteTimes>;
  readonly upstreamTimes?: Partial<UpstreamTimes>;
  /** How long an export waits for a client that accepts nothing. */
  readonly exportStallMs?: number;
}

export type Foundation = ReturnType<typeof createFoundation>;

/** Creates the nudges that wake each worker. */
const createNudges = (join: JoinTopic) => ({
  relay: createSharedNudge(join, 'relay'),
  deliveries: createSharedNudge(join, 'deliveries'),
  tasks: createSharedNudge(join, 'tasks'),
  mails: createSharedNudge(join, 'mails'),
  jobs: createSharedNudge(join, 'jobs'),
  cards: createSharedNudge(join, 'cards'),
  git: createSharedNudge(join, 'git'),
  mirrors: createSharedNudge(join, 'mirrors'),
  auditSink: createSharedNudge(join, 'audit-sink'),
});

interface DeadLetterParts {
  readonly clock: Clock;
  readonly nudges: ReturnType<typeof createNudges>;
  /** Called with the id of each job whose state has changed. */
  readonly onJobChange: (jobId: string) => void;
}

/** Returns for each queue how it sets items aside and takes them back. */
const queuesOf = ({ clock, nudges, onJobChange }: DeadLetterParts): DeadLetterQueues => ({
  events: createDeadEvents({ clock, nudge: nudges.relay.everywhere }),
  tasks: createDeadTasks({ clock, nudge: nudges.tasks.everywhere }),
  deliveries: createDeadDeliveries({ clock, nudge: nudges.deliveries.everywhere }),
  mails: createDeadMails({ clock, nudge: nudges.mails.everywhere }),
  jobs: createDeadJobs({ clock, nudge: nudges.jobs.everywhere, onChange: onJobChange }),
  'scheduled-jobs': createDeadScheduledJobs({ clock, nudge: nudges.jobs.everywhere }),
});

/** Creates what every slice uses besides the infrastructure. */
export function createFoundation(
  config: Config,
  overrides: ServiceOverrides,
  { clock, logger, database }: Infrastructure,
  traces: Traces,
) {
  const ids = overrides.ids ?? createIds(clock);
  const outbound =
    overrides.outbound ??
    createOutbound({
      guard: createAddressGuard({ allow: config.outboundAllow, allowLoopback: config.developmentMode }),
      onNameRefused: (host, reason) => logger.debug({ host, reason }, 'a name has no public address'),
    });

  const blobs = overrides.blobs ?? openBlobStore({ dataDir: config.dataDir, s3: config.largeFiles.s3 });
  const broadcast = createBroadcast({
    open: channelTo(config.databaseUrl, logger),
    isAlone: () => config.role !== 'api' && processes.isAlone(),
  });
  const nudges = createNudges(broadcast.join);
  const events = createEvents({ clock, ids, nudge: nudges.relay.everywhere, trace: () => traces.here() });
  const tasks = createTasks({ clock, ids, nudge: nudges.tasks.everywhere });
  const jobSignals = createSignals(broadcast.join, 'job-streams');
  const deadLetterQueues = queuesOf({ clock, nudges, onJobChange: (jobId) => jobSignals.send([jobId]) });
  const setAside = createSetAside({ clock, ids, logger, queues: deadLetterQueues });
  const processId = ids();
  const crashGuard = createCrashGuard({ database, clock, owner: processId });
  const audit =
    overrides.audit ??
    createAuditLog({ clock, ids, locate: openLocations(config.geoipDatabase), nudge: nudges.auditSink.everywhere });
  const processes = createProcesses({
    ...{ database, clock, owner: processId, crashGuard, setAside, logger },
    queues: keysOf(deadLetterQueues),
  });
  return {
    ...{ ids, blobs, outbound, broadcast, nudges, events, tasks, deadLetterQueues, setAside, crashGuard, audit },
    /** Signal changes to open streams of jobs and of users. */
    ...{ jobSignals, callers: createSignals(broadcast.join, 'callers') },
    leaderElection: createLeases({ database, clock, owner: ids() }),
    processes,
  };
}
