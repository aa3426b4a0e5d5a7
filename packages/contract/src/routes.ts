import { accessTokenRoutes } from './access-tokens.ts';
import { adminRoutes } from './admin.ts';
import { auditLogRoutes } from './audit-log.ts';
import { avatarRoutes } from './avatars.ts';
import { customRoleRoutes } from './custom-roles.ts';
import { discussionRoutes } from './discussions.ts';
import { discussionReadRoutes } from './discussions-read.ts';
import { invitationRoutes } from './invitations.ts';
import { jobRoutes } from './jobs.ts';
import { mailRoutes } from './mail.ts';
import { memberTokenRoutes } from './member-tokens.ts';
import { memberRoutes } from './members.ts';
import { notificationRoutes } from './notifications.ts';
import { organizationRoutes } from './organizations.ts';
import { paperClaimRoutes } from './paper-claims.ts';
import { paperRoutes } from './papers.ts';
import { postRoutes } from './posts.ts';
import { profileRoutes } from './profiles.ts';
import { repositoryRoutes } from './repositories.ts';
import { repositoryReadRoutes } from './repositories-read.ts';
import { resourceGroupRoutes } from './resource-groups.ts';
import type { RouteDeclaration } from './route.ts';
import { scheduledJobRoutes } from './scheduled-jobs.ts';
import { scimDiscoveryRoutes } from './scim-discovery.ts';
import { scimLinkRoutes } from './scim-links.ts';
import { scimResourceRoutes } from './scim-resources.ts';
import { serviceRoutes } from './service.ts';
import { settingsRoutes } from './settings.ts';
import { userRoutes } from './users.ts';
import { watchingRoutes } from './watching.ts';
import { webhookReplayRoutes } from './webhook-replays.ts';
import { webhookStreamRoutes } from './webhook-streams.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every operation of the wire. */
export const allRoutes: readonly RouteDeclaration[] = [
  ...serviceRoutes,
  ...profileRoutes,
  ...avatarRoutes,
  ...accessTokenRoutes,
  ...userRoutes,
  ...repositoryRoutes,
  ...repositoryReadRoutes,
  ...customRoleRoutes,
  ...resourceGroupRoutes,
  ...discussionRoutes,
  ...discussionReadRoutes,
  ...paperRoutes,
  ...paperClaimRoutes,
  ...postRoutes,
  ...organizationRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...memberTokenRoutes,
  ...watchingRoutes,
  ...settingsRoutes,
  ...notificationRoutes,
  ...jobRoutes,
  ...scheduledJobRoutes,
  ...webhookRoutes,
  ...webhookReplayRoutes,
  ...webhookStreamRoutes,
  ...mailRoutes,
  ...auditLogRoutes,
  ...scimDiscoveryRoutes,
  ...scimResourceRoutes,
  ...scimLinkRoutes,
  ...adminRoutes,
];
