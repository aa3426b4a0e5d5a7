import { findRole, type Memberships, membershipOf } from '../../access/index.ts';
import type { Account } from '../../accounts/index.ts';
import { deleteInvitationsOfUsers, findInvitationTo, type Invitations } from '../../members/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { groupRolesOf } from '../../resource-groups/index.ts';
import type { ScimApi } from '../change.ts';
import { ownRoleOf } from '../role-sync/role-changes.ts';
import { deleteGivenRoles, rolesIn } from '../role-sync/store.ts';
import { findFormerMembership, storeFormerMembership } from './store.ts';

/** The role of new members without a former role. */
const FIRST_ROLE = 'read';

type User = Pick<Account, 'id' | 'name'>;

interface Dependencies {
  readonly memberships: Memberships;
  readonly invitations: Invitations;
}

export type MembershipStatus = ReturnType<typeof createMembershipStatus>;

/** Adds users to an organization or removes them, according to `active`. The organization must be locked. */
export function createMembershipStatus({ memberships, invitations }: Dependencies) {
  /** Ends the membership or invitation; with `keep`, stores what restoring it needs. */
  async function leave(tx: Executor, caller: Caller, orgId: string, userId: string, keep: boolean): Promise<void> {
    const invitation = await findInvitationTo(tx, orgId, userId);
    if (invitation) await invitations.revoke(tx, caller, orgId, invitation);
    await deleteInvitationsOfUsers(tx, { orgId, userIds: [userId] });
    const [member] = await rolesIn(tx, orgId, [userId]);
    if (!member) return;
    if (keep) {
      const { name: role } = ownRoleOf(member);
      const groups = (await groupRolesOf(tx, orgId, userId)).filter((group) => group.managed_by === null);
      await storeFormerMembership(tx, orgId, userId, { role, groups: groups.map(({ id, role }) => ({ id, role })) });
    }
    await deleteGivenRoles(tx, orgId, [userId]);
    await memberships.remove(tx, caller, { orgId, userId });
  }

  /**
   * Makes a user a member, or invites the user, with the former role. Users who were not removed by SCIM are always
   * invited, in both APIs: nobody becomes a member without consent.
   */
  async function enter(tx: Executor, caller: Caller, tree: ScimApi, orgId: string, user: User): Promise<void> {
    if ((await membershipOf(tx, orgId, user.id)) !== undefined) return;
    const invitation = await findInvitationTo(tx, orgId, user.id);
    const { owned, taken } = await findFormerMembership(tx, orgId, user.id);
    const role = (taken && (await findRole(tx, orgId, taken.role))?.name) ?? FIRST_ROLE;
    if (tree === 'scim' && (owned || taken)) {
      if (invitation) await invitations.revoke(tx, caller, orgId, invitation);
      await memberships.set(tx, caller, { orgId, userId: user.id, role });
    } else if (!invitation) await invitations.invite(tx, caller, { orgId, user, email: null, role });
  }

  return {
    leave,
    enter,

    /** Returns whether a user is a member or invited. */
    belongs: async (tx: Executor, orgId: string, userId: string): Promise<boolean> =>
      (await membershipOf(tx, orgId, userId)) !== undefined ||
      (await findInvitationTo(tx, orgId, userId)) !== undefined,

    /** Makes a newly created account a member. */
    begin: (tx: Executor, caller: Caller, orgId: string, user: Account) =>
      memberships.begin(tx, caller, { orgId, user, role: FIRST_ROLE }),
  };
}
