import { accessTokenRoutes } from './accounts/access-tokens.ts';
import { avatarRoutes } from './accounts/avatars.ts';
import { followerRoutes } from './accounts/followers.ts';
import { personalDataRoutes } from './accounts/personal-data.ts';
import { profileRoutes } from './accounts/profiles.ts';
import { quotaRoutes } from './accounts/quotas.ts';
import { settingsRoutes } from './accounts/settings.ts';
import { userRoutes } from './accounts/users.ts';
import { adminRoutes } from './admin/hub-document.ts';
import { auditLogRoutes } from './audit-log/events.ts';
import { cardRoutes } from './content/cards.ts';
import { committingRoutes } from './content/committing.ts';
import { comparingRoutes } from './content/comparing.ts';
import { fileRoutes } from './content/files.ts';
import { gitRoutes } from './content/git.ts';
import { contentReadRoutes } from './content/reading.ts';
import { startingRoutes } from './content/starting.ts';
import { storageRoutes } from './content/storage.ts';
import { discussionRoutes } from './discussions/discussions.ts';
import { discussionReadRoutes } from './discussions/reading.ts';
import { jobRoutes } from './jobs/jobs.ts';
import { scheduledJobRoutes } from './jobs/schedules.ts';
import { largeFileRoutes } from './large-files/large-files.ts';
import { lfsRoutes } from './large-files/lfs.ts';
import { lockRoutes } from './large-files/locks.ts';
import { xetRoutes } from './large-files/xet.ts';
import { xetReadingRoutes } from './large-files/xet-reading.ts';
import { mailRoutes } from './notifications/mail.ts';
import { notificationRoutes } from './notifications/notifications.ts';
import { watchingRoutes } from './notifications/watching.ts';
import { applicationRoutes } from './oauth/applications.ts';
import { consentRoutes } from './oauth/consent.ts';
import { discoveryRoutes } from './oauth/discovery.ts';
import { grantRoutes } from './oauth/grants.ts';
import { oauthRoutes } from './oauth/protocol.ts';
import { trustedPublisherRoutes } from './oauth/trusted-publishers.ts';
import { customRoleRoutes } from './organizations/custom-roles.ts';
import { invitationRoutes } from './organizations/invitations.ts';
import { memberTokenRoutes } from './organizations/member-tokens.ts';
import { memberRoutes } from './organizations/members.ts';
import { organizationRoutes } from './organizations/organizations.ts';
import { organizationProviderRoutes } from './organizations/provider.ts';
import { resourceGroupRoutes } from './organizations/resource-groups.ts';
import { paperClaimRoutes } from './papers/claims.ts';
import { paperRoutes } from './papers/papers.ts';
import { postRoutes } from './papers/posts.ts';
import { accessRequestRoutes } from './repositories/access-requests.ts';
import { bucketEventRoutes } from './repositories/bucket-events.ts';
import { bucketFileRoutes } from './repositories/bucket-files.ts';
import { collectionRoutes } from './repositories/collections.ts';
import { searchRoutes } from './repositories/discovery.ts';
import { likeRoutes } from './repositories/likes.ts';
import { listingRoutes } from './repositories/listing.ts';
import { mirrorRoutes } from './repositories/mirrors.ts';
import { repositoryReadRoutes } from './repositories/reading.ts';
import { repositoryRoutes } from './repositories/repositories.ts';
import { spaceLogRoutes, spaceRuntimeRoutes } from './repositories/space-runtime.ts';
import { spaceSettingsRoutes } from './repositories/space-settings.ts';
import type { RouteDeclaration } from './route.ts';
import { scimDiscoveryRoutes } from './scim/discovery.ts';
import { scimLinkRoutes } from './scim/links.ts';
import { scim, scimProvisioning } from './scim/resources.ts';
import { serviceRoutes } from './service.ts';
import { signInRoutes } from './sign-in/authentication.ts';
import { emailRoutes } from './sign-in/email.ts';
import { linkRoutes } from './sign-in/links.ts';
import { secondFactorRoutes } from './sign-in/second-factors.ts';
import { sessionRoutes } from './sign-in/sessions.ts';
import { singleSignOnRoutes } from './sign-in/single-sign-on.ts';
import { webhookReplayRoutes } from './webhooks/replays.ts';
import { webhookStreamRoutes } from './webhooks/streams.ts';
import { webhookRoutes } from './webhooks/webhooks.ts';

/** Operations by the module of the client that calls them. */
export const routesByModule: Readonly<Record<string, readonly RouteDeclaration[]>> = {
  service: serviceRoutes,
  profiles: profileRoutes,
  followers: followerRoutes,
  avatars: avatarRoutes,
  'access-tokens': accessTokenRoutes,
  users: userRoutes,
  authentication: [...signInRoutes, ...linkRoutes],
  'second-factors': secondFactorRoutes,
  sessions: sessionRoutes,
  email: emailRoutes,
  'single-sign-on': [...singleSignOnRoutes, ...organizationProviderRoutes],
  oauth: [...oauthRoutes, ...discoveryRoutes, ...consentRoutes],
  applications: [...applicationRoutes, ...grantRoutes],
  'trusted-publishers': trustedPublisherRoutes,
  repositories: [...repositoryRoutes, ...repositoryReadRoutes, ...listingRoutes],
  likes: likeRoutes,
  gating: accessRequestRoutes,
  collections: collectionRoutes,
  discovery: searchRoutes,
  mirrors: mirrorRoutes,
  spaces: [...spaceSettingsRoutes, ...spaceRuntimeRoutes],
  'large-files': [...lfsRoutes, ...lockRoutes, ...largeFileRoutes],
  content: [
    ...contentReadRoutes,
    ...fileRoutes,
    ...committingRoutes,
    ...comparingRoutes,
    ...startingRoutes,
    ...cardRoutes,
    ...storageRoutes,
    ...spaceLogRoutes,
    ...bucketFileRoutes,
    ...bucketEventRoutes,
  ],
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
  quotas: quotaRoutes,
  'personal-data': personalDataRoutes,
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

/** Every operation of the wire; git and Xet have clients of their own. */
export const allRoutes: readonly RouteDeclaration[] = [
  ...Object.values(routesByModule).flat(),
  ...gitRoutes,
  ...xetRoutes,
  ...xetReadingRoutes,
];
