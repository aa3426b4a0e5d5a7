import { avatarUrl } from './accounts/index.ts';
import { createPruneAuditLog, createSink, createSinkWorker } from './audit-log/index.ts';
import type { Config } from './config.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createMailReactions, createPruneMails } from './mail/index.ts';
import { createPurge } from './organizations/index.ts';
import type { TopicReactions } from './platform/events/reaction.ts';
import { createRelay } from './platform/events/relay.ts';
import { createPruneWindows } from './platform/limits/reservations.ts';
import type { Metrics } from './platform/metrics.ts';
import { createClockWatch } from './platform/queue/clock-watch.ts';
import { shortenLeases } from './platform/queue/leases.ts';
import { createNudge, type Nudge } from './platform/queue/nudge.ts';
import { createTaskWorker } from './platform/queue/task-worker.ts';
import { enqueueScheduled, type TaskWork } from './platform/queue/tasks.ts';
import { createWorker, type Round } from './platform/queue/worker.ts';
import type { Traces } from './platform/traces.ts';
import { reactionTable, taskTable } from './reactions.ts';
import type { Services } from './services.ts';
import { shiftDueAfterClockSkew } from './webhooks/index.ts';

interface Parts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly address: () => string;
}

/** What tests put in the place of the real thing. */
export interface BackgroundOverrides {
  readonly reactions?: (reactions: readonly TopicReactions[]) => readonly TopicReactions[];
  readonly tasks?: (tasks: readonly TaskWork[]) => readonly TaskWork[];
}

/** What each worker of the hub does in a round, from the parts of its slices. */
function createRounds(
  config: Config,
  { clock, logger, database }: Infrastructure,
  { services, metrics, traces, address }: Parts,
  overrides: BackgroundOverrides,
) {
  const { nudges, outbound, events, mails, notifications, jobs, webhooks, setAside, care, leaderElection } = services;
  const reactions = reactionTable({
    ...notifications,
    ...{ deliver: webhooks.deliver, cancelJobs: jobs.followOrganizations, cancelJobsOfUser: jobs.followUsers },
    mail: mails && createMailReactions({ clock, nudge: nudges.mails.everywhere }),
    ...{ clock, events },
  });
  const relay = createRelay({
    ...{ database, clock, logger, setAside, care, traces },
    reactions: overrides.reactions?.(reactions) ?? reactions,
    onHandled: metrics.followed,
  });
  const tasks = taskTable({
    ...webhooks.steps,
    purge: createPurge({ events }),
    pruneMails: createPruneMails({ clock }),
    pruneJobs: jobs.prune,
    pruneNotifications: notifications.prune,
    pruneAuditLog: createPruneAuditLog({ clock, days: config.auditLogDays, copied: config.auditSink !== undefined }),
    pruneWindows: createPruneWindows({ clock }),
  });
  const copyAudit = config.auditSink
    ? createSinkWorker({
        database,
        clock,
        logger,
        sink: createSink(config.auditSink, outbound),
        hold: async () => (await leaderElection.hold(['audit-log'])).size === 0,
        baseUrl: address,
        avatarUrl,
      })
    : async () => ({ done: 0 });
  const workOnTasks = createTaskWorker({
    database,
    clock,
    logger,
    tasks: overrides.tasks?.(tasks) ?? tasks,
    setAside,
    care,
  });
  const watchClock = createClockWatch({
    ...{ clock, database, logger },
    async shiftDue(tx, now, byMs) {
      await shiftDueAfterClockSkew(tx, now, byMs);
      await shortenLeases(tx, now);
    },
  });

  return { relay, tasks, workOnTasks, copyAudit, watchClock };
}

/** What works when nobody asks: what follows from events, deliveries, jobs, tasks, mails, copies of the audit log. */
export function createBackground(
  config: Config,
  infrastructure: Infrastructure,
  parts: Parts,
  overrides: BackgroundOverrides,
) {
  const { logger, database } = infrastructure;
  const { nudges, tasks, mails, jobs, webhooks, processes, leaderElection } = parts.services;
  const rounds = createRounds(config, infrastructure, parts, overrides);
  const { relay, workOnTasks, copyAudit } = rounds;
  const deliveries = webhooks.worker;
  const worker = (name: string, nudge: Nudge, round: Round) =>
    createWorker({ name, nudge, logger, round, onRound: parts.metrics.round });
  const workers = [
    worker('clock', createNudge(), async () => {
      await processes.look();
      return rounds.watchClock();
    }),
    worker('relay', nudges.relay, relay),
    worker('deliveries', nudges.deliveries, deliveries.round),
    worker('last triggers', createNudge(), webhooks.writeLastTriggers),
    worker('jobs', nudges.jobs, jobs.worker.round),
    worker('tasks', nudges.tasks, workOnTasks),
    ...(mails ? [worker('mails', nudges.mails, mails.round)] : []),
    ...(config.auditSink ? [worker('audit sink', nudges.auditSink, copyAudit)] : []),
  ];

  return {
    /** Before anything works, where the lock on the folder proves that nobody else does. */
    async takeBack(): Promise<void> {
      await deliveries.takeBack();
      await mails?.takeBack();
    },

    /** Before anything works: looks whether a process before this one ended well. */
    begin: () => processes.begin(),

    schedule: () => database.transaction((tx) => enqueueScheduled(tx, tasks, rounds.tasks)),

    start(): void {
      for (const each of workers) each.start();
    },

    /** Everything until nothing is due. */
    async drain(): Promise<void> {
      for (let done = 1; done > 0; ) {
        done = (await relay()).done + (await deliveries.round()).done + (await workOnTasks()).done;
        done += ((await mails?.round())?.done ?? 0) + (await copyAudit()).done;
        done += (await jobs.worker.round()).done + (await jobs.worker.settled());
        await webhooks.writeLastTriggers();
        await deliveries.settled();
        await mails?.settled();
      }
    },

    /** Takes no more, also in the rounds that are on. */
    stop(): void {
      deliveries.stop();
      mails?.stop();
      jobs.worker.stop();
    },

    /** Finishes what is in flight and hands the rest back. */
    async finish(): Promise<void> {
      await Promise.all(workers.map((each) => each.stop()));
      await webhooks.writeLastTriggers();
      await Promise.all([deliveries.finish(), mails?.finish()]);
      await jobs.worker.settled();
      await jobs.worker.close();
      await leaderElection.end();
      await processes.end();
      nudges.jobs.everywhere();
      nudges.auditSink.everywhere();
    },
  };
}
