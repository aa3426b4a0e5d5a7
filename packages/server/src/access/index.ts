export { createMemberships, type MembershipEvent, type Memberships } from './memberships.ts';
export {
  findOrganization,
  hasPlan,
  type InOrganization,
  lockOrganization,
  requireOrganization,
  requirePlan,
} from './organizations.ts';
export { hasAccess, mayWrite, type RepoFacts, type RepoRole, tokenCovers } from './policy.ts';
export { findRole, requireGroupRole, requireRole } from './roles.ts';
export { authorize, requireNamespace, requirePermission, requireRepo, requireToken, roleOf } from './service.ts';
export {
  countAdmins,
  countMembers,
  membershipOf,
  membershipRole,
  membershipsOf,
  notDeleted,
  readable,
  readableBy,
  readersOf,
  searchKey,
} from './store.ts';
export { cutOffFrom, cutOffs, missingRepo, requireReach } from './token-rules.ts';
export { visitOrganization } from './visits.ts';
