import { directory } from './accounts/index.ts';
import { createPruneAuditLog, createSink, createSinkWorker } from './audit-log/index.ts';
import { createPruneBuckets } from './buckets/index.ts';
import { createPopularity } from './catalog/index.ts';
import type { Config } from './config.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createMailReactions, createPruneMails, MAILS } from './mail/index.ts';
import { deleteInvitationsIn } from './members/index.ts';
import type { Metrics } from './metrics.ts';
import { shiftMirrorsDue } from './mirrors/index.ts';
import { createPruneOauth } from './oauth/index.ts';
import { createPurge } from './organizations/index.ts';
import type { QueueName } from './platform/database/tables.ts';
import type { TopicReactions } from './platform/events/reaction.ts';
import { createRelay } from './platform/events/relay.ts';
import { createPruneWindows } from './platform/limits/reservations.ts';
import { createClockWatch } from './platform/queue/clock-watch.ts';
import { shiftDue } from './platform/queue/due-store.ts';
import { shortenLeases } from './platform/queue/lease-store.ts';
import { createNudge, type Nudge } from './platform/queue/nudge.ts';
import { createPruneDeadLetters } from './platform/queue/prune-dead-letters.ts';
import { createTaskWorker } from './platform/queue/task-worker.ts';
import { enqueueScheduled, type TaskWork } from './platform/queue/tasks.ts';
import { createWorker, type Round } from './platform/queue/worker.ts';
import type { Traces } from './platform/tracing/traces.ts';
import { reactionTable, taskTable } from './reactions.ts';
import { createFirstCommits } from './repositories/index.ts';
import { deleteScimRows } from './scim/index.ts';
import type { Services } from './services.ts';
import { createFollowOperator, createPruneSignIn } from './sign-in/index.ts';
import { createPruneSingleSignOn } from './single-sign-on/index.ts';
import { createPruneUpstream } from './upstream/index.ts';
import { shiftDueAfterClockSkew } from './webhooks/index.ts';

interface Parts {
  readonly services: Services;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly address: () => string;
}

/** Replacements for tests. */
export interface BackgroundOverrides {
  readonly reactions?: (reactions: readonly TopicReactions[]) => readonly TopicReactions[];
  readonly tasks?: (tasks: readonly TaskWork[]) => readonly TaskWork[];
}

/** Creates the round of each worker from the services. */
function createRounds(
  config: Config,
  { clock, logger, database }: Infrastructure,
  { services, metrics, traces, address }: Parts,
  overrides: BackgroundOverrides,
) {
  const {
    nudges,
    outbound,
    events,
    mails,
    notifications,
    jobs,
    webhooks,
    setAside,
    crashGuard,
    leaderElection,
    cards,
  } = services;
  const reactions = reactionTable({
    ...notifications,
    followHead: cards.followHead,
    followOperator: createFollowOperator({ logger, callers: services.callers }),
    ...{ deliver: webhooks.deliver, cancelJobs: jobs.followOrganizations, cancelJobsOfUser: jobs.followUsers },
    mail: mails && createMailReactions({ clock, nudge: nudges.mails.everywhere }),
    ...{ clock, events },
  });
  const relay = createRelay({
    ...{ database, clock, logger, setAside, crashGuard, traces },
    reactions: overrides.reactions?.(reactions) ?? reactions,
    onHandled: metrics.followed,
  });
  const tasks = taskTable({
    ...webhooks.steps,
    purge: createPurge({ clock, events, parts: { deleteInvitations: deleteInvitationsIn, deleteScimRows } }),
    scimRoleSync: services.api.scim.roleSync.step,
    popularity: createPopularity({ clock }),
    pruneMails: createPruneMails({ clock }),
    resetByMail: services.signIn.resetByMail.step,
    signUp: services.signIn.signUp.step,
    pruneSignIn: createPruneSignIn({ clock, idleMs: services.signIn.limits.idleMs }),
    pruneOauth: createPruneOauth({ clock }),
    pruneSingleSignOn: createPruneSingleSignOn({ clock }),
    pruneJobs: jobs.prune,
    pruneNotifications: notifications.prune,
    pruneAuditLog: createPruneAuditLog({
      clock,
      days: config.auditLogDays,
      copied: config.auditSink !== undefined,
      findExistingAccounts: directory.findExistingAccounts,
    }),
    pruneDeadLetters: createPruneDeadLetters(services.deadLetterQueues),
    pruneWindows: createPruneWindows({ clock }),
    pruneBuckets: createPruneBuckets({ clock, largeFiles: services.largeFiles }),
    pruneUpstream: createPruneUpstream({ clock, largeFiles: services.largeFiles, keepDays: config.upstream.keepDays }),
    firstCommits: createFirstCommits(address),
  });
  const audit = config.auditSink
    ? createSinkWorker({
        database,
        clock,
        logger,
        sink: createSink(config.auditSink, outbound),
        hold: async () => (await leaderElection.acquire(['audit-log'])).size === 0,
        baseUrl: address,
        directory,
      })
    : { round: async () => ({ done: 0 }), check: async () => {} };
  const workOnTasks = createTaskWorker({
    database,
    clock,
    logger,
    tasks: overrides.tasks?.(tasks) ?? tasks,
    setAside,
    crashGuard,
  });
  const watchClock = createClockWatch({
    ...{ clock, database, logger },
    async shiftOthers(tx, now, byMs) {
      await shiftDue(tx, MAILS, { now, byMs });
      await shiftDueAfterClockSkew(tx, now, byMs);
      await shiftMirrorsDue(tx, now, byMs);
      await shortenLeases(tx, now);
    },
  });

  return { relay, tasks, workOnTasks, audit, watchClock };
}

/** Creates the background work: reactions to events, deliveries, jobs, tasks, mails, copies of the audit log. */
export function createBackground(
  config: Config,
  infrastructure: Infrastructure,
  parts: Parts,
  overrides: BackgroundOverrides,
) {
  const { logger, database } = infrastructure;
  const { nudges, tasks, mails, jobs, webhooks, mirrors, backups, cards, downloads, processes, leaderElection } =
    parts.services;
  const { crashGuard, largeFileUpkeep, xetConverting, gitUpkeep, gitChanges } = parts.services;
  const rounds = createRounds(config, infrastructure, parts, overrides);
  const { relay, workOnTasks, audit } = rounds;
  const deliveries = webhooks.worker;
  const onRound = (name: string, seconds: number, succeeded: boolean) => {
    parts.metrics.round(name, seconds, succeeded);
    logger.trace({ worker: name, ms: Math.round(seconds * 1000), succeeded }, 'a round of work');
  };
  const worker = (name: string, nudge: Nudge, round: Round, mayRest?: () => boolean) =>
    createWorker({ name, nudge, logger, round, onRound, mayRest });
  const isAlone = () => config.role === 'all' && processes.isAlone();
  /** Creates the worker of a queue, into which nothing comes without a nudge unless other processes run or one has crashed. */
  const queueWorker = (name: string, nudge: Nudge, round: Round, queue?: QueueName) =>
    worker(name, nudge, round, () => isAlone() && !(queue && crashGuard.isActive(queue)));
  const workers = [
    worker('clock', createNudge(), async () => {
      if (await processes.checkProcesses()) deliveries.takeOver();
      return rounds.watchClock();
    }),
    queueWorker('relay', nudges.relay, relay, 'events'),
    queueWorker('deliveries', nudges.deliveries, deliveries.round, 'deliveries'),
    worker('last triggers', createNudge(), webhooks.writeLastTriggers),
    worker('figures of webhooks', createNudge(), webhooks.writeTallies),
    queueWorker('jobs', nudges.jobs, () => jobs.worker.round(), 'jobs'),
    queueWorker('tasks', nudges.tasks, workOnTasks, 'tasks'),
    queueWorker('cards', nudges.cards, () => cards.reader.round()),
    queueWorker('mirrors', nudges.mirrors, () => mirrors.worker.round()),
    worker('large files', createNudge(), () => largeFileUpkeep.round()),
    ...(backups ? [worker('backups', createNudge(), () => backups.round())] : []),
    worker('xet', createNudge(), () => xetConverting.round()),
    queueWorker('git', nudges.git, () => gitUpkeep.round()),
    ...(mails ? [queueWorker('mails', nudges.mails, mails.round, 'mails')] : []),
    ...(config.auditSink ? [queueWorker('audit sink', nudges.auditSink, audit.round)] : []),
  ];

  return {
    /** Called before any work begins, if the lock on the folder proves that no other process works. */
    async takeBack(): Promise<void> {
      await deliveries.takeBack();
      await mails?.takeBack();
    },

    /** Called before any work begins: checks whether earlier processes ended cleanly. */
    begin: () => processes.begin(),

    schedule: () => database.transaction((tx) => enqueueScheduled(tx, tasks, rounds.tasks)),

    start(): void {
      for (const each of workers) each.start();
      // What cannot be used is told before the first event or mail needs it.
      void audit.check();
      void mails?.check();
    },

    /** Works until nothing is due. */
    async drain(): Promise<void> {
      for (let done = 1; done > 0; ) {
        done = (await relay()).done + (await deliveries.round()).done + (await workOnTasks()).done;
        done += ((await mails?.round())?.done ?? 0) + (await audit.round()).done;
        done += (await cards.reader.round()).done + (await xetConverting.round()).done;
        await downloads.flush();
        await gitChanges.flush();
        done += (await jobs.worker.round()).done + (await jobs.worker.settled());
        done += (await mirrors.worker.round()).done + (await mirrors.worker.settled());
        done += ((await backups?.round())?.done ?? 0) + ((await backups?.settled()) ?? 0);
        await webhooks.writeLastTriggers();
        await deliveries.settled();
        await webhooks.writeTallies();
        await mails?.settled();
      }
    },

    /** Takes no more work, not even in the current rounds. */
    stop(): void {
      deliveries.stop();
      mails?.stop();
      jobs.worker.stop();
      largeFileUpkeep.stop();
      xetConverting.stop();
      gitUpkeep.stop();
      cards.reader.stop();
      mirrors.worker.stop();
      backups?.stop();
    },

    /** Finishes the work in flight and releases the rest. */
    async finish(): Promise<void> {
      await Promise.all(workers.map((each) => each.stop()));
      await webhooks.writeLastTriggers();
      await downloads.flush();
      await gitChanges.flush();
      await Promise.all([deliveries.finish(), mails?.finish()]);
      await webhooks.writeTallies();
      await jobs.worker.settled();
      await jobs.worker.close();
      await mirrors.worker.settled();
      await mirrors.close();
      await backups?.settled();
      await backups?.close();
      await leaderElection.releaseAll();
      await processes.end();
      nudges.jobs.everywhere();
      nudges.auditSink.everywhere();
      nudges.mirrors.everywhere();
    },
  };
}
