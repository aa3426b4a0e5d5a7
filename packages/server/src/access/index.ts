export { type CustomRoles, createCustomRoles } from './custom-roles.ts';
export { type GroupEvent, groupTopic, type MembershipEvent, membershipTopic, roleTopic } from './events.ts';
export {
  addGroupMembers,
  autoJoin,
  belongingAmong,
  findGroupStanding,
  type GroupStanding,
  membersAmong,
  removeFromGroups,
} from './groups/group-members.ts';
export {
  groupNotFound,
  requireGroup,
  requireNamespaceInGroup,
  requireRegroup,
  requireUngroup,
} from './groups/groups.ts';
export { type JobNamespace, jobRole, requireJobNamespace } from './job-namespaces.ts';
export { createMemberships, type Memberships, tookLastAdmin } from './memberships.ts';
export { type OrganizationSettings, settingsOf, updateSettings } from './organization-settings.ts';
export {
  findOrganization,
  hasPlan,
  type InOrganization,
  lockOrganization,
  requireOrganization,
  requirePlan,
} from './organizations.ts';
export {
  bestOf,
  entitiesOf,
  type Grant,
  grantsOn,
  hasAccess,
  isAtLeast,
  isLimited,
  mayCreate,
  mayWrite,
  type Reader,
  type RepoFacts,
  type RepoRole,
  tokenCovers,
  tokenReads,
} from './policy.ts';
export { announceToGroups, announceToMembers } from './reactions.ts';
export {
  entitled,
  granted,
  known,
  notDeleted,
  notDisabled,
  readable,
  readableBy,
  readersOf,
  repoColumns,
} from './readable.ts';
export { findRole, requireGroupRole, requireRole, UNKNOWN_ROLE } from './roles.ts';
export { customRoleRoutes } from './routes.ts';
export {
  authorize,
  isSiteAdmin,
  requireNamespace,
  requirePermission,
  requireRepo,
  requireToken,
  roleOf,
  roleOfUser,
} from './service.ts';
export {
  countAdmins,
  countMembers,
  foldedForSearch,
  membershipOf,
  membershipRole,
  membershipsOf,
  type NamedRole,
  searchKey,
  soleAdminOf,
  standingOn,
} from './store.ts';
export type { OrganizationTokenRow, ResourceGroupRow, ResourceGroupUserRow } from './tables.ts';
export { createTierOf } from './tiers.ts';
export { findDecision, objectionsTo, putDecision, putDecisions } from './token-decisions.ts';
export { cutOffFrom, cutOffs, missingRepo, requireReach } from './token-rules.ts';
export { membershipsSeenBy, visitOrganization } from './visits.ts';
