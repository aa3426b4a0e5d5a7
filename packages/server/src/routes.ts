import { Job } from '@moonbase/contract/jobs/jobs';
import * as contract from '@moonbase/contract/service';
import { type CustomRoles, customRoleRoutes } from './access/index.ts';
import { accountRoutes, type Disabling, type OwnTokens } from './accounts/index.ts';
import { type Admin, type AdminLists, adminRoutes, type DeadLetters, type ReadHubStatus } from './admin/index.ts';
import { type AuditReading, auditLogRoutes } from './audit-log/index.ts';
import { type Avatars, avatarRoutes } from './avatars/index.ts';
import { type Discussions, discussionRoutes } from './discussions/index.ts';
import { type JobStreams, type Jobs, jobRoutes, type ScheduledJobs } from './jobs/index.ts';
import { mailRoutes, type Unsubscribing } from './mail/index.ts';
import {
  type DeleteUser,
  type Invitations,
  type MemberList,
  type Members,
  type MemberTokens,
  memberRoutes,
} from './members/index.ts';
import { type NotificationStreams, type Notifications, notificationRoutes } from './notifications/index.ts';
import { type Organizations, organizationRoutes } from './organizations/index.ts';
import { type Claims, type Papers, paperRoutes } from './papers/index.ts';
import { Answer } from './platform/http/answer.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import type { Routes } from './platform/http/route.ts';
import type { Metrics } from './platform/metrics.ts';
import { type Posts, postRoutes } from './posts/index.ts';
import { type Profiles, profileRoutes } from './profiles/index.ts';
import { type Repositories, repositoryRoutes } from './repositories/index.ts';
import { type ExplainAccess, type ResourceGroups, resourceGroupRoutes } from './resource-groups/index.ts';
import { type Scim, scimRoutes } from './scim/index.ts';
import { type McpSettings, type Settings, settingsRoutes } from './settings/index.ts';
import { type Watching, watchingRoutes } from './watching/index.ts';
import {
  type DeliveryLog,
  type Replays,
  type WebhookStreams,
  type Webhooks,
  webhookRoutes,
  webhookStreamRoutes,
} from './webhooks/index.ts';

interface Services {
  readonly profiles: Profiles;
  readonly avatars: Avatars;
  readonly ownTokens: OwnTokens;
  readonly disabling: Disabling;
  readonly organizations: Organizations;
  readonly memberList: MemberList;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly memberTokens: MemberTokens;
  readonly deleteUser: DeleteUser;
  readonly repositories: Repositories;
  readonly customRoles: CustomRoles;
  readonly resourceGroups: ResourceGroups;
  readonly explainAccess: ExplainAccess;
  readonly discussions: Discussions;
  readonly papers: Papers;
  readonly claims: Claims;
  readonly posts: Posts;
  readonly watching: Watching;
  readonly settings: Settings;
  readonly mcpSettings: McpSettings;
  readonly notifications: Notifications;
  readonly notificationStreams: NotificationStreams;
  readonly jobs: Jobs;
  readonly scheduledJobs: ScheduledJobs;
  readonly jobStreams: JobStreams;
  readonly webhooks: Webhooks;
  readonly log: DeliveryLog;
  readonly replays: Replays;
  readonly webhookStreams: WebhookStreams;
  readonly lenientWebhooks: boolean;
  readonly unsubscribing: Unsubscribing;
  readonly auditReading: AuditReading;
  readonly scim: Scim;
  readonly admin: Admin;
  readonly adminLists: AdminLists;
  readonly deadLetters: DeadLetters;
  readonly readStatus: ReadHubStatus;
}

interface Probes {
  /** Why the hub should get no requests, or undefined. */
  readonly notReady: () => Promise<string | undefined>;
  readonly readMetrics: () => ReturnType<Metrics['read']>;
  readonly version: { readonly version: string; readonly schema: string };
}

/** The HTTP map: what the hub answers to, a line for each capability. */
export function addRoutes(routes: Routes, services: Services): void {
  serviceRoutes(routes);
  profileRoutes(routes, services.profiles);
  avatarRoutes(routes, services.avatars);
  accountRoutes(routes, services);
  organizationRoutes(routes, services.organizations);
  memberRoutes(routes, services);
  repositoryRoutes(routes, services.repositories);
  customRoleRoutes(routes, services.customRoles);
  resourceGroupRoutes(routes, services);
  discussionRoutes(routes, services.discussions);
  paperRoutes(routes, services);
  postRoutes(routes, services.posts);
  watchingRoutes(routes, services.watching);
  settingsRoutes(routes, services);
  notificationRoutes(routes, services);
  jobRoutes(routes, services);
  webhookRoutes(routes, { ...services, lenient: services.lenientWebhooks });
  webhookStreamRoutes(routes, services.webhookStreams);
  mailRoutes(routes, services.unsubscribing);
  auditLogRoutes(routes, services.auditReading);
  scimRoutes(routes, services);
  adminRoutes(routes, services);
}

/** Where every process answers, whatever it does. */
export const PROBES = '/health, /ready, /metrics and /api/version';

/** What tells how a process is. */
export function addProbes(routes: Routes, { notReady, version, readMetrics }: Probes): void {
  routes.add(contract.getHealth, () => ({ status: 'ok' as const }));
  routes.add(contract.getReady, async () => {
    const error = await notReady();
    return error === undefined
      ? { status: 'ok' as const }
      : new Answer({ status: 'not ready' as const, error }, { status: 503 });
  });
  routes.add(contract.getMetrics, async () => {
    const { text, type } = await readMetrics();
    return new Answer(text as never, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
  });
  routes.add(contract.getVersion, () => version);
}

function serviceRoutes(routes: Routes): void {
  routes.add(contract.getAgentHarnesses, () => ({ standardEnvVars: [], harnesses: {} }));
  let document: ReturnType<typeof openApiDocument> | undefined;
  routes.add(contract.getOpenApi, ({ caller }) => {
    document ??= openApiDocument(routes.declared(), [Job]);
    return { ...document, servers: [{ url: caller.baseUrl }] };
  });
}
