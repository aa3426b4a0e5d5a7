export type { RoleKeeper } from './custom-role-changes.ts';
export { type CustomRoles, createCustomRoles } from './custom-roles.ts';
export { type GroupEvent, groupTopic, type MembershipEvent, membershipTopic, roleTopic } from './events.ts';
export {
  deleteGroup,
  insertGroup,
  isNameTaken,
  lockGroups,
  type ResourceGroup,
  updateGroup,
} from './groups/group-store.ts';
export {
  groupNotFound,
  requireGroup,
  requireNamespaceInGroup,
  requireRegroup,
  requireUngroup,
} from './groups/groups.ts';
export {
  addGroupMembers,
  autoJoin,
  deleteGroupMembers,
  filterMembers,
  findGroupWithRole,
  findMembersAmong,
  type GroupWithRole,
  groupMembershipsOf,
  putGroupMember,
  removeFromGroups,
  removeGroupMembers,
  setGroupRole,
} from './groups/member-store.ts';
export { type JobNamespace, jobRole, requireJobNamespace, tokenReachesJobs } from './job-namespaces.ts';
export {
  createMemberships,
  isLastAdminConflict,
  lastAdminConflict,
  type Memberships,
  type SomeMembers,
} from './memberships/memberships.ts';
export { deleteMemberships, markProvisioned, setSearchKey } from './memberships/store.ts';
export { type OrganizationSettings, settingsOf, updateSettings } from './organization-settings-store.ts';
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
  haveSameView,
  isAtLeast,
  isLimited,
  mayCreate,
  mayWrite,
  type Readable,
  type Reader,
  type RepoFacts,
  type RepoRole,
  readsElsewhere,
  tokenCovers,
  tokenReads,
  tokenReadsGated,
} from './policy.ts';
export { announceToGroups, announceToMembers } from './reactions.ts';
export {
  factsAsValues,
  hasGrant,
  mayReadIfEnabled,
  notDeleted,
  notDisabled,
  privateRowsOf,
  type RowsQuery,
  readable,
  readableBy,
  readersOf,
  repoColumns,
  repoColumnsOf,
} from './readable-conditions.ts';
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
  rolesOn,
  searchKey,
  soleAdminOf,
} from './store.ts';
export type { OrganizationTokenRow, ResourceGroupRow, ResourceGroupUserRow } from './tables.ts';
export { ACCESS_BACKUP } from './tables.ts';
export { createTierOf } from './tiers.ts';
export {
  cutOffs,
  deleteDecisions,
  denialsOf,
  findDecision,
  putDecision,
  putDecisions,
} from './token-decision-store.ts';
export {
  credentialsNeeded,
  cutOffFrom,
  errorForStrangers,
  missingRepo,
  namesRepo,
  repoNotFound,
  requireReach,
} from './token-rules.ts';
export { findVisibleOrganization, membershipsSeenBy } from './visits.ts';
