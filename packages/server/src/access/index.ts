export { type CustomRoles, createCustomRoles } from './custom-roles.ts';
export type { GroupEvent } from './group-events.ts';
export {
  addGroupMembers,
  autoJoin,
  belongingAmong,
  findGroupStanding,
  type GroupStanding,
  membersAmong,
  removeFromGroups,
} from './group-members.ts';
export { groupNotFound, requireGroup, requireNamespaceInGroup } from './groups.ts';
export { type JobNamespace, jobRole, requireJobNamespace } from './job-namespaces.ts';
export { createMemberships, type MembershipEvent, type Memberships, tookLastAdmin } from './memberships.ts';
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
  mayCreate,
  mayWrite,
  type RepoFacts,
  type RepoRole,
  tokenCovers,
} from './policy.ts';
export { announceToGroups, announceToMembers } from './reactions.ts';
export { granted, known, notDeleted, readable, readableBy, readersOf, repoColumns } from './readable.ts';
export { findRole, requireGroupRole, requireRole, UNKNOWN_ROLE } from './roles.ts';
export { customRoleRoutes } from './routes.ts';
export {
  authorize,
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
  membershipOf,
  membershipRole,
  membershipsOf,
  type NamedRole,
  searchKey,
  standingOn,
} from './store.ts';
export { createTierOf } from './tiers.ts';
export { cutOffFrom, cutOffs, missingRepo, requireReach } from './token-rules.ts';
export { visitOrganization } from './visits.ts';
