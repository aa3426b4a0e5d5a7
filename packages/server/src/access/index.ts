export { mayWrite, type RepoFacts, type RepoRole } from './policy.ts';
export { authorize, requireNamespace, requirePermission, requireRepo, requireToken, roleOf } from './service.ts';
export {
  countAdmins,
  countMembers,
  membershipRole,
  membershipsOf,
  readable,
  readableBy,
  readersOf,
  removeMembership,
  setMembership,
} from './store.ts';
