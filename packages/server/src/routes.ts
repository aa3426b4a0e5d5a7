import * as contract from '@moonbase/contract/service';
import { type Admin, adminRoutes } from './admin/index.ts';
import { type AuditReading, auditLogRoutes } from './audit-log/index.ts';
import { type Discussions, discussionRoutes } from './discussions/index.ts';
import { type Claims, type Papers, paperRoutes } from './papers/index.ts';
import { Answer } from './platform/http/answer.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import type { Routes } from './platform/http/route.ts';
import { type Posts, postRoutes } from './posts/index.ts';
import { type Profiles, profileRoutes } from './profiles/index.ts';
import { type Repositories, repositoryRoutes } from './repositories/index.ts';
import { type McpSettings, type Settings, settingsRoutes } from './settings/index.ts';
import { type Watching, watchingRoutes } from './watching/index.ts';
import { type DeliveryLog, type Replays, type Webhooks, webhookRoutes } from './webhooks/index.ts';

interface Services {
  readonly profiles: Profiles;
  readonly repositories: Repositories;
  readonly discussions: Discussions;
  readonly papers: Papers;
  readonly claims: Claims;
  readonly posts: Posts;
  readonly watching: Watching;
  readonly settings: Settings;
  readonly mcpSettings: McpSettings;
  readonly webhooks: Webhooks;
  readonly log: DeliveryLog;
  readonly replays: Replays;
  readonly lenientWebhooks: boolean;
  readonly auditReading: AuditReading;
  readonly admin: Admin;
  /** Why the hub should get no requests, or undefined. */
  readonly notReady: () => Promise<string | undefined>;
  readonly version: { readonly version: string; readonly schema: string };
}

/** The HTTP map: what the hub answers to, a line for each capability. */
export function addRoutes(routes: Routes, services: Services): void {
  serviceRoutes(routes, services);
  profileRoutes(routes, services.profiles);
  repositoryRoutes(routes, services.repositories);
  discussionRoutes(routes, services.discussions);
  paperRoutes(routes, services);
  postRoutes(routes, services.posts);
  watchingRoutes(routes, services.watching);
  settingsRoutes(routes, services);
  webhookRoutes(routes, { ...services, lenient: services.lenientWebhooks });
  auditLogRoutes(routes, services.auditReading);
  adminRoutes(routes, services.admin);
}

function serviceRoutes(routes: Routes, { notReady, version }: Services): void {
  routes.add(contract.getHealth, () => ({ status: 'ok' as const }));
  routes.add(contract.getReady, async () => {
    const error = await notReady();
    return error === undefined
      ? { status: 'ok' as const }
      : new Answer({ status: 'not ready' as const, error }, { status: 503 });
  });
  routes.add(contract.getVersion, () => version);
  routes.add(contract.getAgentHarnesses, () => ({ standardEnvVars: [], harnesses: {} }));
  let document: ReturnType<typeof openApiDocument> | undefined;
  routes.add(contract.getOpenApi, ({ caller }) => {
    document ??= openApiDocument(routes.declared());
    return { ...document, servers: [{ url: caller.baseUrl }] };
  });
}
