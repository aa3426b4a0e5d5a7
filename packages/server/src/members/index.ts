export { createErase, type Erase } from './erasure.ts';
export { findInvitationTo } from './invitation-store.ts';
export { createInvitations, type Invitations } from './invitations.ts';
export { createMemberList, type MemberList } from './list.ts';
export { followAccounts } from './reactions.ts';
export { memberRoutes } from './routes.ts';
export { createMembers, type Members } from './service.ts';
export { createMemberTokens, type MemberTokens } from './tokens.ts';
