export { createMemberships, type MembershipEvent, type Memberships } from './memberships.ts';
export {
  baseRole,
  hasPlan,
  type OrganizationAccess,
  type OrganizationNeed,
  requireOrganization,
  requirePlan,
} from './organizations.ts';
export { hasAccess, mayWrite, type RepoFacts, type RepoRole, tokenCovers } from './policy.ts';
export { authorize, requireNamespace, requirePermission, requireRepo, requireToken, roleOf } from './service.ts';
export {
  countAdmins,
  countMembers,
  membershipRole,
  membershipsOf,
  notDeleted,
  readable,
  readableBy,
  readersOf,
  searchKey,
} from './store.ts';
export { cutOffFrom, cutOffs, missingRepo, requireReach } from './token-rules.ts';
