import {
  createCustomRoles,
  createMemberships,
  cutOffFrom,
  cutOffs,
  requireOrganization,
  requirePlan,
} from './access/index.ts';
import { avatarUrl, createAccounts, createDisabling, createOwnTokens } from './accounts/index.ts';
import { createAdmin, createAdminLists, createDeadLetters } from './admin/index.ts';
import { type AuditLog, createAuditLog, createAuditReading, openLocations } from './audit-log/index.ts';
import { createAvatars, createRender } from './avatars/index.ts';
import { createComments, createTexts } from './comments/index.ts';
import type { Config } from './config.ts';
import { createDiscussions } from './discussions/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import { createDeadJobs, createDeadScheduledJobs, createJobParts, type Runner } from './jobs/index.ts';
import { createDeadMails, createMailWorker, createUnsubscribing, queueThreadMails } from './mail/index.ts';
import {
  createDeleteUser,
  createErase,
  createInvitationSecrets,
  createInvitations,
  createMemberList,
  createMembers,
  createMemberTokens,
} from './members/index.ts';
import { createNotificationParts } from './notifications/index.ts';
import { createOrganizations } from './organizations/index.ts';
import { createClaims, createPapers } from './papers/index.ts';
import type { Clock } from './platform/clock.ts';
import { channelTo } from './platform/database/channel.ts';
import { createDeadEvents } from './platform/events/dead-events.ts';
import { createEvents } from './platform/events/events.ts';
import { createIds, type Ids } from './platform/ids.ts';
import { createSmtp } from './platform/mail/smtp.ts';
import { createMarkdown } from './platform/markdown/markdown.ts';
import type { Metrics } from './platform/metrics.ts';
import { createAddressGuard } from './platform/outbound/address-guard.ts';
import { createOutbound, type Outbound } from './platform/outbound/outbound.ts';
import { createBroadcast, type Join } from './platform/queue/broadcast.ts';
import { createCare } from './platform/queue/care.ts';
import { createSetAside, type DeadLetterQueues } from './platform/queue/dead-letters.ts';
import { createDeadTasks } from './platform/queue/dead-tasks.ts';
import { createLeases } from './platform/queue/leases.ts';
import { createSharedNudge } from './platform/queue/nudge.ts';
import { createProcesses } from './platform/queue/processes.ts';
import { createSignals } from './platform/queue/signals.ts';
import { createTasks } from './platform/queue/tasks.ts';
import type { Traces } from './platform/traces.ts';
import { createPosts } from './posts/index.ts';
import { createProfiles } from './profiles/index.ts';
import { createRepositories } from './repositories/index.ts';
import { createAccessReport, createResourceGroups } from './resource-groups/index.ts';
import { createScim } from './scim/index.ts';
import { createMcpSettings, createSettings, turnOff } from './settings/index.ts';
import { createWatching, watchOrganization } from './watching/index.ts';
import { changeOwner, createDeadDeliveries, createWebhookParts } from './webhooks/index.ts';

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

interface DeadLetterParts {
  readonly clock: Clock;
  readonly nudges: ReturnType<typeof createNudges>;
  /** Told of each job that has news. */
  readonly changed: (jobId: string) => void;
}

/** How each queue sets items aside, and takes them back. */
const queuesOf = ({ clock, nudges, changed }: DeadLetterParts): DeadLetterQueues => ({
  events: createDeadEvents({ clock, nudge: nudges.relay.everywhere }),
  tasks: createDeadTasks({ clock, nudge: nudges.tasks.everywhere }),
  deliveries: createDeadDeliveries({ clock, nudge: nudges.deliveries.everywhere }),
  mails: createDeadMails({ clock, nudge: nudges.mails.everywhere }),
  jobs: createDeadJobs({ clock, nudge: nudges.jobs.everywhere, changed }),
  'scheduled-jobs': createDeadScheduledJobs({ clock, nudge: nudges.jobs.everywhere }),
});

/** Every service, in straight lines in the order of dependency. */
export function createServices(
  config: Config,
  overrides: ServiceOverrides,
  { clock, logger, database, secretBox, signer, mark }: Infrastructure,
  { metrics, traces, address }: Surroundings,
) {
  const ids = overrides.ids ?? createIds(clock);
  const outbound =
    overrides.outbound ??
    createOutbound({
      guard: createAddressGuard({ allow: config.outboundAllow, allowLoopback: config.developmentMode }),
      onNameRefused: (host, reason) => logger.debug({ host, reason }, 'a name has no public address'),
    });

  const broadcast = createBroadcast({ open: channelTo(config.databaseUrl, logger) });
  const nudges = createNudges(broadcast.join);
  const events = createEvents({ clock, ids, nudge: nudges.relay.everywhere, trace: () => traces.here() });
  const tasks = createTasks({ clock, ids, nudge: nudges.tasks.everywhere });
  const jobSignals = createSignals(broadcast.join, 'job-streams');
  const deadLetterQueues = queuesOf({ clock, nudges, changed: (jobId) => jobSignals.send([jobId]) });
  const setAside = createSetAside({ clock, ids, logger, queues: deadLetterQueues });
  const processId = ids();
  const care = createCare({ database, clock, owner: processId });
  const audit =
    overrides.audit ??
    createAuditLog({ clock, ids, locate: openLocations(config.geoipDatabase), nudge: nudges.auditSink.everywhere });
  const accounts = createAccounts({ database, clock, ids, events, cutOffs: { column: cutOffs, read: cutOffFrom } });
  const callers = createSignals(broadcast.join, 'callers');
  const disabling = createDisabling({
    database,
    clock,
    events,
    callers,
    onChange: (tx, userId) => changeOwner(tx, userId, clock.now()),
  });
  const memberships = createMemberships({
    clock,
    events,
    audit,
    onAccess: (tx, { orgId, userId }) => watchOrganization(tx, userId, orgId, clock.now()),
    onJoin: (...who) => scim.joined(...who),
  });
  const customRoles = createCustomRoles({
    database,
    clock,
    events,
    audit,
    onRoleRebased: (...where) => scim.rebased(...where),
  });
  const organizations = createOrganizations({ database, clock, events, tasks, accounts, memberships, audit });
  const memberList = createMemberList({ database });
  const members = createMembers({ database, clock, memberships, audit, events });
  const secrets = createInvitationSecrets(signer);
  const invitations = createInvitations({ database, clock, ids, memberships, audit, events, secrets });
  const memberTokens = createMemberTokens({ database, clock, audit });
  const ownTokens = createOwnTokens({ database, accounts, callers, onTokenCreated: memberTokens.tokenMade });
  const repositories = createRepositories({ database, clock, ids, events, audit });
  const markdown = createMarkdown({
    onExceeded: (details) => logger.warn(details, 'a text exceeds the limits of Markdown; it is shown as plain text'),
  });
  const texts = createTexts({ markdown });
  const discussions = createDiscussions({ database, clock, ids, events, texts });
  const comments = createComments({ clock, ids, events, texts });
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
      texts,
      transport: createSmtp({ url: config.mail.smtpUrl, from: config.mail.from }),
      ...{ setAside, care },
      from: config.mail.from,
      hubUrl: address,
      unsubscribeUrl: (userId, kind) => unsubscribing.url(address(), userId, kind),
      invitationUrl: (invitation) => secrets.linkOf(address(), invitation),
    });
  const notifications = createNotificationParts({
    ...{ database, clock, ids, texts, join: broadcast.join, settings: config },
    queueMails: config.mail && queueThreadMails,
  });
  const leaderElection = createLeases({ database, clock, owner: ids() });
  const jobs = createJobParts({
    ...{ database, clock, ids, logger, secretBox, audit, nudge: nudges.jobs, settings: config.jobs },
    ...{ dataDir: config.dataDir, mark, runner: overrides.runner, signals: jobSignals, setAside, care },
    hold: async () => (await leaderElection.hold(['jobs'])).size === 0,
  });
  const webhooks = createWebhookParts({
    ...{ database, clock, ids, logger, events, tasks, secretBox, outbound, metrics, traces, setAside, care },
    ...{ nudge: nudges.deliveries, join: broadcast.join, settings: config },
    random: overrides.random ?? Math.random,
    launch: jobs.launchForWebhook,
  });
  const erase = createErase({ repositories, posts, memberships, events, callers });
  const scim = createScim({
    ...{ database, clock, ids, events, audit, accounts, disabling, memberships, invitations, erase },
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
    markdown,
    accounts,
    callers,
    mails,
    notifications,
    jobs,
    webhooks,
    setAside,
    care,
    processes: createProcesses({ database, clock, owner: processId, care, setAside, logger }),
    leaderElection,
    /** What routes call. */
    api: {
      profiles,
      avatars,
      ownTokens,
      disabling,
      organizations,
      memberList,
      members,
      invitations,
      memberTokens,
      deleteUser: createDeleteUser({ database, erase }),
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
      notifications: notifications.services,
      jobs: jobs.services,
      webhooks: webhooks.services,
      unsubscribing,
      auditReading,
      scim,
      admin,
      adminLists: createAdminLists({ database }),
      deadLetters: createDeadLetters({ database, logger, queues: deadLetterQueues }),
    },

    /** Ends the streams that are open. */
    closeStreams(): void {
      for (const { closeStreams } of [notifications, jobs, webhooks]) closeStreams();
    },
  };
}
