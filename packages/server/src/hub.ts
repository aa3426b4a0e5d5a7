import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import {
  authorize,
  createCustomRoles,
  createMemberships,
  cutOffFrom,
  cutOffs,
  requireOrganization,
  requirePlan,
} from './access/index.ts';
import { avatarUrl, createAccounts, createOwnTokens } from './accounts/index.ts';
import { createAdmin } from './admin/index.ts';
import {
  type AuditLog,
  createAuditLog,
  createAuditReading,
  createSink,
  createSinkWorker,
  openLocations,
} from './audit-log/index.ts';
import { createAvatars, createRender } from './avatars/index.ts';
import { createComments } from './comments/index.ts';
import type { Config } from './config.ts';
import { createDiscussions } from './discussions/index.ts';
import { type Foundation, type FoundationOverrides, layFoundation } from './foundation.ts';
import { createJobParts, type Runner } from './jobs/index.ts';
import {
  createMailReactions,
  createMailRetention,
  createMailWorker,
  createUnsubscribing,
  queueThreadMails,
} from './mail/index.ts';
import {
  createErase,
  createInvitations,
  createMemberList,
  createMembers,
  createMemberTokens,
} from './members/index.ts';
import {
  createFanOut,
  createHiding,
  createInboxes,
  createNotificationStreams,
  createNotifications,
  createRemoval,
  createSignals,
} from './notifications/index.ts';
import { createOrganizations, createPurge } from './organizations/index.ts';
import { createClaims, createPapers } from './papers/index.ts';
import { createEvents } from './platform/events/record.ts';
import { createRelay } from './platform/events/relay.ts';
import { addConsole } from './platform/http/console-files.ts';
import { addDocsPage } from './platform/http/docs-page.ts';
import { createRoutes, unknownRoute } from './platform/http/route.ts';
import { createHttp } from './platform/http/server.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { createSmtp } from './platform/mail/smtp.ts';
import { createAddressGuard } from './platform/outbound/address-guard.ts';
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts';
import { createNudge } from './platform/queue/nudge.ts';
import { createTaskWorker } from './platform/queue/task-worker.ts';
import { createTasks, enqueueScheduled } from './platform/queue/tasks.ts';
import { createWorker } from './platform/queue/worker.ts';
import { createPosts } from './posts/index.ts';
import { createProfiles } from './profiles/index.ts';
import { reactionMap, taskMap } from './reactions.ts';
import { createRepositories } from './repositories/index.ts';
import { createAccessReport, createResourceGroups } from './resource-groups/index.ts';
import { addRoutes } from './routes.ts';
import { createScim, scimDialect } from './scim/index.ts';
import { createMcpSettings, createSettings, turnOff } from './settings/index.ts';
import { createWatching } from './watching/index.ts';
import {
  createDeliver,
  createDeliveryLog,
  createDeliveryReaction,
  createDeliveryWorker,
  createLaneLeases,
  createRecord,
  createRecorder,
  createReplayStep,
  createReplays,
  createRetention,
  createSend,
  createWebhooks,
} from './webhooks/index.ts';

export const VERSION = '0.1.0';

/** What tests and demonstrations put in the place of the real thing. */
export interface Overrides extends FoundationOverrides {
  readonly ids?: Ids;
  readonly outbound?: Outbound;
  readonly random?: () => number;
  readonly runner?: Runner;
  readonly audit?: AuditLog;
  /** False: nothing works in the background; `drain` does it on demand. */
  readonly background?: boolean;
}

export type Hub = Awaited<ReturnType<typeof createHub>>;

/** Puts the hub together; nothing listens or works until `start`. Throws where the database cannot be used. */
export async function createHub(config: Config, overrides: Overrides = {}) {
  const foundation = await layFoundation(config, overrides);
  return compose(config, overrides, foundation).catch(async (error: unknown) => {
    await foundation.database[Symbol.asyncDispose]();
    throw error;
  });
}

/** Straight lines in the order of dependency. */
async function compose(
  config: Config,
  overrides: Overrides,
  { clock, logger, database, schema, secretBox, signer }: Foundation,
) {
  let listening = '';
  const ids = overrides.ids ?? createIds(clock);
  const outbound =
    overrides.outbound ??
    createOutbound({
      guard: createAddressGuard({ allow: config.outboundAllow, allowLoopback: config.developmentMode }),
    });

  const relayNudge = createNudge();
  const deliveryNudge = createNudge();
  const taskNudge = createNudge();
  const mailNudge = createNudge();
  const jobNudge = createNudge();
  const sinkNudge = createNudge();
  const events = createEvents({ clock, ids, nudge: relayNudge });
  const tasks = createTasks({ clock, ids, nudge: taskNudge });
  const audit =
    overrides.audit ?? createAuditLog({ clock, ids, locate: openLocations(config.geoipDatabase), nudge: sinkNudge });
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: { column: cutOffs, read: cutOffFrom } });
  const memberships = createMemberships({ clock, events, audit, joined: (...who) => scim.joined(...who) });
  const customRoles = createCustomRoles({
    database,
    clock,
    events,
    audit,
    rebased: (...where) => scim.rebased(...where),
  });
  const organizations = createOrganizations({ database, clock, events, tasks, accounts, memberships, audit });
  const memberList = createMemberList({ database });
  const members = createMembers({ database, clock, memberships, audit, events });
  const invitations = createInvitations({ database, clock, ids, memberships, audit });
  const memberTokens = createMemberTokens({ database, clock, audit });
  const ownTokens = createOwnTokens({ database, accounts, tokenMade: memberTokens.requestApproval });
  const repositories = createRepositories({ database, clock, ids, events, audit });
  const discussions = createDiscussions({ database, clock, ids, events });
  const comments = createComments({ clock, ids, events });
  const papers = createPapers({ database, clock, ids, comments });
  const claims = createClaims({ database, clock, ids, events });
  const posts = createPosts({ database, clock, ids, comments });
  const avatars = createAvatars({ database, clock, accounts, audit, render: createRender() });
  const resourceGroups = createResourceGroups({ database, clock, ids, events, audit });
  const explainAccess = createAccessReport({ database });
  const profiles = createProfiles({ database });
  const watching = createWatching({ database, clock });
  const settings = createSettings({ database });
  const mcpSettings = createMcpSettings({ database });
  const unsubscribing = createUnsubscribing({ database, signer, turnOff });
  const address = () => config.publicUrl ?? listening;
  const mails =
    config.mail &&
    createMailWorker({
      database,
      clock,
      logger,
      nudge: mailNudge,
      transport: createSmtp({ url: config.mail.smtpUrl, from: config.mail.from }),
      from: config.mail.from,
      hubUrl: address,
      unsubscribeUrl: (userId, kind) => unsubscribing.url(address(), userId, kind),
    });
  const signals = createSignals();
  const inboxes = createInboxes({ signals });
  const notifications = createNotifications({ database, inboxes });
  const notificationStreams = createNotificationStreams({ database, signals });
  const exclusive = createLaneLeases({ database, clock, owner: ids() });
  const { jobWorker, launchForWebhook, retainJobs, ...jobServices } = createJobParts({
    ...{ database, clock, ids, logger, secretBox, audit, nudge: jobNudge, settings: config.jobs },
    ...{ dataDir: config.dataDir, runner: overrides.runner },
    hold: async () => (await exclusive.hold(['jobs'])).size === 0,
  });
  const { maxWebhooks, maxWatched } = config;
  const webhooks = createWebhooks({ database, clock, ids, secretBox, tasks, maxWebhooks, maxWatched });
  const record = createRecord({
    database,
    clock,
    events,
    retrySchedule: config.webhookRetrySchedule,
    random: overrides.random ?? Math.random,
  });
  const send = createSend({ clock, secretBox, outbound, launch: launchForWebhook });
  const deliver = createDeliver({ clock, logger, send, recorder: createRecorder({ record, logger }) });
  const log = createDeliveryLog({ database, clock, ids, events, deliver });
  const replays = createReplays({ database, clock, ids, tasks });
  const erase = createErase({ repositories, posts, memberships, events });
  const scim = createScim({
    ...{ database, clock, ids, events, audit, accounts, memberships, invitations, erase },
    warn: (details, message) => logger.warn(details, message),
  });
  const admin = createAdmin({ database, accounts, memberships, repositories, papers, posts, audit, erase });
  const auditReading = createAuditReading({
    database,
    clock,
    avatarUrl,
    async requireReader(executor, { principal }, name) {
      const need = { role: 'admin', permission: 'org.read' } as const;
      const { organization } = await requireOrganization(executor, principal, name, need);
      requirePlan(organization, 'team');
      return organization;
    },
  });

  const reactions = reactionMap({
    notify: createFanOut({
      ...{ clock, ids, inboxes },
      queueMails: config.mail && queueThreadMails,
      mailQuietMs: config.mail?.quietMs ?? 0,
    }),
    removal: createRemoval({ inboxes }),
    hide: createHiding({ inboxes }),
    deliver: createDeliveryReaction({ clock, ids, dailyLimit: config.webhookDailyLimit, nudge: deliveryNudge }),
    mail: mails && createMailReactions({ clock, nudge: mailNudge }),
    ...{ clock, events },
  });
  const relay = createRelay({ database, clock, logger, reactions });
  const leases = createLaneLeases({ database, clock, owner: ids() });
  const deliveries = createDeliveryWorker({ database, clock, leases, nudge: deliveryNudge, deliver });
  const kindsOfTasks = taskMap({
    purge: createPurge({ events }),
    replay: createReplayStep({ clock, ids, nudge: deliveryNudge }),
    retain: createRetention({ clock, days: config.webhookLogDays }),
    retainMails: createMailRetention({ clock }),
    retainJobs,
  });
  const copyAudit = config.auditSink
    ? createSinkWorker({
        database,
        clock,
        logger,
        sink: createSink(config.auditSink, outbound),
        hold: async () => (await exclusive.hold(['audit-log'])).size === 0,
        baseUrl: () => config.publicUrl ?? listening,
        avatarUrl,
      })
    : async () => ({ done: 0 });
  const taskRound = createTaskWorker({ database, clock, logger, tasks: kindsOfTasks });
  const workers = [
    createWorker({ name: 'relay', nudge: relayNudge, logger, round: relay }),
    createWorker({ name: 'deliveries', nudge: deliveryNudge, logger, round: deliveries.round }),
    createWorker({ name: 'jobs', nudge: jobNudge, logger, round: jobWorker.round }),
    createWorker({ name: 'tasks', nudge: taskNudge, logger, round: taskRound }),
    ...(mails ? [createWorker({ name: 'mails', nudge: mailNudge, logger, round: mails.round })] : []),
    ...(config.auditSink ? [createWorker({ name: 'audit sink', nudge: sinkNudge, logger, round: copyAudit })] : []),
  ];

  const app = await createHttp({
    // What the framework says below a warning is left out, never more than was asked for.
    logger: logger.child({}, { level: ['error', 'fatal', 'silent'].includes(logger.level) ? logger.level : 'warn' }),
    trustedProxies: config.trustedProxies,
    localOnly: config.developmentMode,
    dialects: [scimDialect],
  });
  const routes = createRoutes(app, {
    authenticate: accounts.authenticate,
    authorize,
    publicUrl: config.publicUrl,
    // In development mode only names of this machine get this far.
    hubUrl: (baseUrl) => config.publicUrl ?? (config.developmentMode ? baseUrl : listening),
  });
  let stopping = false;
  addRoutes(routes, {
    profiles,
    avatars,
    ownTokens,
    organizations,
    memberList,
    members,
    invitations,
    memberTokens,
    repositories,
    customRoles,
    resourceGroups,
    explainAccess,
    discussions,
    papers,
    claims,
    posts,
    watching,
    settings,
    mcpSettings,
    notifications,
    notificationStreams,
    ...jobServices,
    webhooks,
    log,
    replays,
    lenientWebhooks: config.lenientWebhooks,
    unsubscribing,
    auditReading,
    scim,
    admin,
    version: { version: VERSION, schema },
    async notReady() {
      if (stopping) return 'The hub is stopping';
      const answers = await sql`select 1`.execute(database.executor).then(
        () => true,
        () => false,
      );
      return answers ? undefined : 'The database does not answer';
    },
  });
  await addDocsPage(app);
  await addConsole(app);
  app.setNotFoundHandler((request) => {
    throw unknownRoute(routes, request.method, request.url.split('?')[0] ?? '');
  });

  return {
    database,

    /** Makes the first site administrator where there is none; answers the token when it was made here. */
    async prepare(): Promise<string | undefined> {
      const token = await accounts.ensureSiteAdmin(config.adminToken);
      return config.adminToken === undefined ? token : undefined;
    },

    /** Listens and works; answers the address. */
    async start(): Promise<string> {
      // The lock on the folder proves that nobody else works: whatever is leased was leased by a process that died.
      if (database.engine === 'sqlite') {
        await deliveries.takeBack();
        await mails?.takeBack();
      }
      await database.transaction((tx) => enqueueScheduled(tx, tasks, kindsOfTasks));
      await app.listen({ host: config.host, port: config.port });
      if (overrides.background !== false) for (const worker of workers) worker.start();
      const { port } = app.server.address() as AddressInfo;
      listening = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      return listening;
    },

    /** Runs relay, deliveries, tasks and mails until nothing is due. */
    async drain(): Promise<void> {
      for (let done = 1; done > 0; ) {
        done = (await relay()).done + (await deliveries.round()).done + (await taskRound()).done;
        done += ((await mails?.round())?.done ?? 0) + (await copyAudit()).done;
        done += (await jobWorker.round()).done + (await jobWorker.settled());
        await deliveries.settled();
        await mails?.settled();
      }
    },

    /** Answers what was asked, finishes what is in flight, hands the rest back, and closes. */
    async stop(): Promise<void> {
      stopping = true;
      deliveries.stop();
      mails?.stop();
      notificationStreams.close();
      jobServices.jobStreams.close();
      jobWorker.stop();
      await app.close();
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([deliveries.finish(), mails?.finish()]);
      await jobWorker.settled();
      await exclusive.end();
      await outbound[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
