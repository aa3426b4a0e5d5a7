import {
  createCustomRoles,
  createMemberships,
  cutOffFrom,
  cutOffs,
  requireOrganization,
  requirePlan,
} from './access/index.ts';
import { avatarUrl, createAccounts, createOwnTokens } from './accounts/index.ts';
import { createAdmin, createAdminLists } from './admin/index.ts';
import { type AuditLog, createAuditLog, createAuditReading, openLocations } from './audit-log/index.ts';
import { createAvatars, createRender } from './avatars/index.ts';
import { createComments } from './comments/index.ts';
import type { Config } from './config.ts';
import { createDiscussions } from './discussions/index.ts';
import type { Foundation } from './foundation.ts';
import { createJobParts, type Runner } from './jobs/index.ts';
import { createMailWorker, createUnsubscribing } from './mail/index.ts';
import {
  createErase,
  createInvitations,
  createMemberList,
  createMembers,
  createMemberTokens,
} from './members/index.ts';
import { createInboxes, createNotificationStreams, createNotifications } from './notifications/index.ts';
import { createOrganizations } from './organizations/index.ts';
import { createClaims, createPapers } from './papers/index.ts';
import { channelTo } from './platform/database/channel.ts';
import { createEvents } from './platform/events/record.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { createSmtp } from './platform/mail/smtp.ts';
import type { Metrics } from './platform/metrics.ts';
import { createAddressGuard } from './platform/outbound/address-guard.ts';
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts';
import { createBroadcast, type Join } from './platform/queue/broadcast.ts';
import { createSharedNudge } from './platform/queue/nudge.ts';
import { createSignals } from './platform/queue/signals.ts';
import { createTasks } from './platform/queue/tasks.ts';
import type { Traces } from './platform/traces.ts';
import { createPosts } from './posts/index.ts';
import { createProfiles } from './profiles/index.ts';
import { createRepositories } from './repositories/index.ts';
import { createAccessReport, createResourceGroups } from './resource-groups/index.ts';
import { createScim } from './scim/index.ts';
import { createMcpSettings, createSettings, turnOff } from './settings/index.ts';
import { createWatching } from './watching/index.ts';
import {
  createDeliver,
  createDeliveryLog,
  createLaneLeases,
  createMessages,
  createRecord,
  createRecorder,
  createReplays,
  createSend,
  createWebhookStreams,
  createWebhooks,
} from './webhooks/index.ts';

/** What tests and demonstrations put in the place of the real thing, of what services work with. */
export interface ServiceOverrides {
  readonly ids?: Ids;
  readonly outbound?: Outbound;
  readonly random?: () => number;
  readonly runner?: Runner;
  readonly audit?: AuditLog;
}

interface Surroundings {
  readonly metrics: Metrics;
  readonly traces: Traces;
  /** Where the hub is, for mails and copies of the audit log. */
  readonly address: () => string;
}

export type Services = ReturnType<typeof createServices>;

/** What wakes each worker when there is something to do. */
const createNudges = (join: Join) => ({
  relay: createSharedNudge(join, 'relay'),
  deliveries: createSharedNudge(join, 'deliveries'),
  tasks: createSharedNudge(join, 'tasks'),
  mails: createSharedNudge(join, 'mails'),
  jobs: createSharedNudge(join, 'jobs'),
  auditSink: createSharedNudge(join, 'audit-sink'),
});

/** Every service, in straight lines in the order of dependency. */
export function createServices(
  config: Config,
  overrides: ServiceOverrides,
  { clock, logger, database, secretBox, signer, mark }: Foundation,
  { metrics, traces, address }: Surroundings,
) {
  const ids = overrides.ids ?? createIds(clock);
  const outbound =
    overrides.outbound ??
    createOutbound({
      guard: createAddressGuard({ allow: config.outboundAllow, allowLoopback: config.developmentMode }),
    });

  const broadcast = createBroadcast({ open: channelTo(config.databaseUrl, logger) });
  const nudges = createNudges(broadcast.join);
  const events = createEvents({ clock, ids, nudge: nudges.relay.everywhere, trace: () => traces.here() });
  const tasks = createTasks({ clock, ids, nudge: nudges.tasks.everywhere });
  const audit =
    overrides.audit ??
    createAuditLog({ clock, ids, locate: openLocations(config.geoipDatabase), nudge: nudges.auditSink.everywhere });
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
  const mails =
    config.mail &&
    createMailWorker({
      database,
      clock,
      logger,
      nudge: nudges.mails,
      transport: createSmtp({ url: config.mail.smtpUrl, from: config.mail.from }),
      from: config.mail.from,
      hubUrl: address,
      unsubscribeUrl: (userId, kind) => unsubscribing.url(address(), userId, kind),
    });
  const signals = createSignals(broadcast.join, 'inboxes');
  const streamSignals = createSignals(broadcast.join, 'webhook-streams');
  const inboxes = createInboxes({ signals });
  const notifications = createNotifications({ database, inboxes });
  const notificationStreams = createNotificationStreams({ database, signals });
  const exclusive = createLaneLeases({ database, clock, owner: ids() });
  const { jobWorker, launchForWebhook, retainJobs, followOrganizations, ...jobServices } = createJobParts({
    ...{ database, clock, ids, logger, secretBox, audit, nudge: nudges.jobs, settings: config.jobs },
    ...{
      dataDir: config.dataDir,
      mark,
      runner: overrides.runner,
      signals: createSignals(broadcast.join, 'job-streams'),
    },
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
  const messages = createMessages({ secretBox });
  const send = createSend({ clock, messages, outbound, launch: launchForWebhook, traces });
  const recorder = createRecorder({ record, logger });
  const deliver = createDeliver({ clock, logger, send, recorder, attempted: metrics.attempted });
  const log = createDeliveryLog({ database, clock, ids, events, deliver });
  const replays = createReplays({ database, clock, ids, tasks });
  const webhookStreams = createWebhookStreams({
    ...{ database, clock, ids, secretBox, tasks, events, messages, recorder, maxWatched },
    signals: streamSignals,
  });
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

  return {
    broadcast,
    nudges,
    ids,
    outbound,
    events,
    tasks,
    accounts,
    inboxes,
    streamSignals,
    mails,
    deliver,
    exclusive,
    jobWorker,
    retainJobs,
    cancelJobs: followOrganizations,
    /** What routes call. */
    called: {
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
      webhookStreams,
      lenientWebhooks: config.lenientWebhooks,
      unsubscribing,
      auditReading,
      scim,
      admin,
      adminLists: createAdminLists({ database }),
    },
  };
}
