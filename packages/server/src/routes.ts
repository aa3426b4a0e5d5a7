import { Job } from '@moonbase/contract/jobs/jobs';
import * as contract from '@moonbase/contract/service';
import { customRoleRoutes } from './access/index.ts';
import { accountRoutes } from './accounts/index.ts';
import { adminRoutes, type ReadHubStatus } from './admin/index.ts';
import { auditLogRoutes } from './audit-log/index.ts';
import { avatarRoutes } from './avatars/index.ts';
import { discussionRoutes } from './discussions/index.ts';
import { jobRoutes } from './jobs/index.ts';
import { mailRoutes } from './mail/index.ts';
import { memberRoutes } from './members/index.ts';
import { notificationRoutes } from './notifications/index.ts';
import { organizationRoutes } from './organizations/index.ts';
import { paperRoutes } from './papers/index.ts';
import { Answer, rawAnswer } from './platform/http/answer.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import type { Routes } from './platform/http/route.ts';
import type { Metrics } from './platform/metrics.ts';
import { postRoutes } from './posts/index.ts';
import { profileRoutes } from './profiles/index.ts';
import { repositoryRoutes } from './repositories/index.ts';
import { resourceGroupRoutes } from './resource-groups/index.ts';
import { scimRoutes } from './scim/index.ts';
import type { Services } from './services.ts';
import { settingsRoutes } from './settings/index.ts';
import { watchingRoutes } from './watching/index.ts';
import { webhookRoutes } from './webhooks/index.ts';

interface Probes {
  /** Why the hub should get no requests, or undefined. */
  readonly notReady: () => Promise<string | undefined>;
  readonly readMetrics: () => ReturnType<Metrics['read']>;
  readonly version: { readonly version: string; readonly schema: string };
}

/** The HTTP map: what the hub answers to, a line for each capability. */
export function addRoutes(routes: Routes, services: Services['api'] & { readonly readStatus: ReadHubStatus }): void {
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
  notificationRoutes(routes, services.notifications);
  jobRoutes(routes, services.jobs);
  webhookRoutes(routes, services.webhooks);
  mailRoutes(routes, services.unsubscribing);
  auditLogRoutes(routes, services.auditReading);
  scimRoutes(routes, services.scim);
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
    return rawAnswer(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } });
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
