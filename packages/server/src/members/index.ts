export { createErase, type Erase } from './erasure.ts';
export { type InvitationEvent, invitationTopic } from './events.ts';
export { createInvitationSecrets } from './invitation-secrets.ts';
export {
  deleteInvitationsIn,
  deleteInvitationsOfUsers,
  findInvitationTo,
  invitationRoleKeeper,
} from './invitation-store.ts';
export { createInvitations, type Invitations } from './invitations.ts';
export { createMemberList, type MemberList } from './list.ts';
export { followAccounts } from './reactions.ts';
export { memberRoutes } from './routes.ts';
export { createMembers, type IsManaged, type Members } from './service.ts';
export { MEMBERS_BACKUP } from './tables.ts';
export { createMemberTokens, type MemberTokens } from './tokens.ts';
export { createDeleteUser, type DeleteUser } from './user-deletion.ts';
