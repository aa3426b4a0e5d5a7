import { deleteUser } from '@moonbase/contract/accounts/users';
import * as invitation from '@moonbase/contract/organizations/invitations';
import * as token from '@moonbase/contract/organizations/member-tokens';
import * as member from '@moonbase/contract/organizations/members';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { Invitations } from './invitations.ts';
import type { MemberList } from './list.ts';
import type { Members } from './service.ts';
import type { MemberTokens } from './tokens.ts';
import type { DeleteUser } from './user-deletion.ts';

interface Services {
  readonly memberList: MemberList;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly memberTokens: MemberTokens;
  readonly deleteUser: DeleteUser;
}

const SUCCESS = { success: true } as const;

export function memberRoutes(routes: Routes, services: Services): void {
  const { memberList, members, invitations, memberTokens } = services;
  routes.add(member.listMembers, async ({ caller, params, query }) =>
    answerPage(await memberList(caller, params.name, query), caller.url),
  );
  routes.add(member.addMember, async ({ caller, params, body }) => {
    await members.add(caller, params.name, params.username, body.role);
    return SUCCESS;
  });
  routes.add(member.removeMember, async ({ caller, params }) => {
    await members.remove(caller, params.name, params.username);
    return SUCCESS;
  });
  routes.add(member.changeMemberRole, async ({ caller, params, body }) => {
    await members.changeRole(caller, params.name, params.username, body);
    return SUCCESS;
  });
  routes.add(member.joinOrganization, async ({ caller, params }) => {
    await members.join(caller, params.name);
    return SUCCESS;
  });
  routes.add(deleteUser, async ({ caller, params }) => {
    await services.deleteUser(caller, params.username);
    return {};
  });
  invitationRoutes(routes, invitations);
  tokenRoutes(routes, memberTokens);
}

function invitationRoutes(routes: Routes, invitations: Invitations): void {
  routes.add(invitation.listInvitations, async ({ caller, params, query }) =>
    answerPage(await invitations.list(caller, params.name, query), caller.url),
  );
  routes.add(invitation.createInvitation, ({ caller, params, body }) => invitations.create(caller, params.name, body));
  routes.add(invitation.deleteInvitation, async ({ caller, params }) => {
    await invitations.withdraw(caller, params.name, params.invitationId);
    return SUCCESS;
  });
  routes.add(invitation.listOwnInvitations, async ({ caller, query }) =>
    answerPage(await invitations.listOwn(caller, query), caller.url),
  );
  routes.add(invitation.acceptInvitation, async ({ caller, params, body }) => {
    await invitations.accept(caller, params.invitationId, body.secret);
    return SUCCESS;
  });
}

function tokenRoutes(routes: Routes, tokens: MemberTokens): void {
  routes.add(token.listMemberTokens, async ({ caller, params, query }) =>
    answerPage(await tokens.list(caller, params.name, query), caller.url),
  );
  routes.add(token.getTokenPolicy, ({ caller, params }) => tokens.policy(caller, params.name));
  routes.add(token.updateTokenPolicy, async ({ caller, params, body }) => {
    await tokens.setPolicy(caller, params.name, body);
    return SUCCESS;
  });
  routes.add(token.revokeMemberToken, async ({ caller, params, body }) => {
    await tokens.revoke(caller, params.name, { token: body.token });
    return SUCCESS;
  });
  routes.add(token.revokeMemberTokenById, async ({ caller, params }) => {
    await tokens.revoke(caller, params.name, { id: params.tokenId });
    return SUCCESS;
  });
  routes.add(token.approveMemberToken, async ({ caller, params }) => {
    await tokens.decide(caller, params.name, params.tokenId, 'approved');
    return SUCCESS;
  });
  routes.add(token.denyMemberToken, async ({ caller, params }) => {
    await tokens.decide(caller, params.name, params.tokenId, 'denied');
    return SUCCESS;
  });
}
