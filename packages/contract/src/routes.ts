import { adminRoutes } from './admin.ts';
import { auditLogRoutes } from './audit-log.ts';
import { discussionRoutes } from './discussions.ts';
import { discussionReadRoutes } from './discussions-read.ts';
import { paperClaimRoutes } from './paper-claims.ts';
import { paperRoutes } from './papers.ts';
import { postRoutes } from './posts.ts';
import { profileRoutes } from './profiles.ts';
import { repositoryRoutes } from './repositories.ts';
import { repositoryReadRoutes } from './repositories-read.ts';
import type { RouteDeclaration } from './route.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './settings.ts';
import { watchingRoutes } from './watching.ts';
import { webhookReplayRoutes } from './webhook-replays.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every operation of the wire. */
export const allRoutes: readonly RouteDeclaration[] = [
  ...serviceRoutes,
  ...profileRoutes,
  ...repositoryRoutes,
  ...repositoryReadRoutes,
  ...discussionRoutes,
  ...discussionReadRoutes,
  ...paperRoutes,
  ...paperClaimRoutes,
  ...postRoutes,
  ...watchingRoutes,
  ...settingsRoutes,
  ...webhookRoutes,
  ...webhookReplayRoutes,
  ...auditLogRoutes,
  ...adminRoutes,
];
