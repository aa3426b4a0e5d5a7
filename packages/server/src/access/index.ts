export { createMemberships, type MembershipEvent, type Memberships } from './memberships.ts';
export { requireOrganization, requirePlan } from './organizations.ts';
export { hasAccess, mayWrite, type RepoFacts, type RepoRole } from './policy.ts';
export { authorize, requireNamespace, requirePermission, requireRepo, requireToken, roleOf } from './service.ts';
export {
  countAdmins,
  countMembers,
  membershipRole,
  membershipsOf,
  readable,
  readableBy,
  readersOf,
} from './store.ts';
