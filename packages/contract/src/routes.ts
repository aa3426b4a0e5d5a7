import { accessTokenRoutes } from './accounts/access-tokens.ts';
import { avatarRoutes } from './accounts/avatars.ts';
import { profileRoutes } from './accounts/profiles.ts';
import { settingsRoutes } from './accounts/settings.ts';
import { userRoutes } from './accounts/users.ts';
import { adminRoutes } from './admin/hub-document.ts';
import { auditLogRoutes } from './audit-log/events.ts';
import { discussionRoutes } from './discussions/discussions.ts';
import { discussionReadRoutes } from './discussions/reading.ts';
import { jobRoutes } from './jobs/jobs.ts';
import { scheduledJobRoutes } from './jobs/schedules.ts';
import { mailRoutes } from './notifications/mail.ts';
import { notificationRoutes } from './notifications/notifications.ts';
import { watchingRoutes } from './notifications/watching.ts';
import { customRoleRoutes } from './organizations/custom-roles.ts';
import { invitationRoutes } from './organizations/invitations.ts';
import { memberTokenRoutes } from './organizations/member-tokens.ts';
import { memberRoutes } from './organizations/members.ts';
import { organizationRoutes } from './organizations/organizations.ts';
import { resourceGroupRoutes } from './organizations/resource-groups.ts';
import { paperClaimRoutes } from './papers/claims.ts';
import { paperRoutes } from './papers/papers.ts';
import { postRoutes } from './papers/posts.ts';
import { repositoryReadRoutes } from './repositories/reading.ts';
import { repositoryRoutes } from './repositories/repositories.ts';
import type { RouteDeclaration } from './route.ts';
import { scimDiscoveryRoutes } from './scim/discovery.ts';
import { scimLinkRoutes } from './scim/links.ts';
import { scim, scimProvisioning } from './scim/resources.ts';
import { serviceRoutes } from './service.ts';
import { webhookReplayRoutes } from './webhooks/replays.ts';
import { webhookStreamRoutes } from './webhooks/streams.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';

/** Every operation of the wire, by the module of the client that calls it. */
export const routesByModule: Readonly<Record<string, readonly RouteDeclaration[]>> = {
  service: serviceRoutes,
  profiles: profileRoutes,
  avatars: avatarRoutes,
  'access-tokens': accessTokenRoutes,
  users: userRoutes,
  repositories: [...repositoryRoutes, ...repositoryReadRoutes],
  'custom-roles': customRoleRoutes,
  'resource-groups': resourceGroupRoutes,
  discussions: [...discussionRoutes, ...discussionReadRoutes],
  papers: [...paperRoutes, ...paperClaimRoutes],
  posts: postRoutes,
  organizations: organizationRoutes,
  members: memberRoutes,
  invitations: invitationRoutes,
  'member-tokens': memberTokenRoutes,
  watching: watchingRoutes,
  settings: settingsRoutes,
  notifications: notificationRoutes,
  jobs: jobRoutes,
  'scheduled-jobs': scheduledJobRoutes,
  webhooks: webhookRoutes,
  'webhook-replays': webhookReplayRoutes,
  'webhook-streams': webhookStreamRoutes,
  mail: mailRoutes,
  'audit-log': auditLogRoutes,
  'scim-discovery': scimDiscoveryRoutes,
  scim: Object.values(scim),
  'scim-provisioning': Object.values(scimProvisioning),
  'scim-links': scimLinkRoutes,
  admin: adminRoutes,
};

/** Every operation of the wire. */
export const allRoutes: readonly RouteDeclaration[] = Object.values(routesByModule).flat();
